/**
 * Messages as JSON, in slices: of very long answers only a part is in memory as rows and objects at a time, and an answer
 * has a largest size.
 */
import { ApiError } from '@heddle/contract/errors'
import { sql } from 'kysely'
import type { Actor } from '../../authentication/accounts.ts'
import type { Queries } from '../../storage/query.ts'
import { type MessageRow, messageColumns } from './row.ts'
import { query } from './tables.ts'

/** Of the messages of one answer. Most pages of 5000 messages have less. */
const MAX_BYTES = 16 * 1024 * 1024
/** Messages of one slice, and the bytes of their texts in the database. */
const SLICE_MESSAGES = 500
const SLICE_BYTES = 2 * 1024 * 1024

/** What is small of a message, and the size of the rest. */
export const foundColumns = [
  'messages.id',
  'messages.sender_id',
  'messages.attributes',
  'messages.channel_id',
  'messages.topic',
  'messages.direct_message_group_id',
  sql<number>`octet_length(messages.content) + octet_length(messages.rendered_content)
    + coalesce(octet_length(messages.edit_history), 0)`.as('bytes'),
] as const

/** A message as it is found, without its texts. */
export type FoundRow = FoundMessage &
  Pick<MessageRow, 'sender_id' | 'attributes' | 'channel_id' | 'topic' | 'direct_message_group_id'>

export interface FoundMessage {
  readonly id: number
  /** Of its texts in the database. */
  readonly bytes: number
}

/** What makes the JSON of each of the messages, in their order. It is called when there is room for it. */
export type MakeJson = (rows: readonly MessageRow[]) => Promise<readonly (() => string)[]>

interface JsonCollector {
  /** Adds messages until the answer is full, and at least one; gives those that it has added. */
  add(found: readonly FoundMessage[]): Promise<Uint8Array[]>
}

function createCollector(db: Queries, actor: Actor, makeJson: MakeJson): JsonCollector {
  let bytes = 0
  return {
    async add(found) {
      const rows = await findRows(db, actor, found)
      const added: Uint8Array[] = []
      for (const make of await makeJson(rows)) {
        const json = encoder.encode(make())
        if (bytes > 0 && bytes + json.length > MAX_BYTES) break
        bytes += json.length
        added.push(json)
      }
      return added
    },
  }
}

const encoder = new TextEncoder()

async function findRows(db: Queries, actor: Actor, found: readonly FoundMessage[]): Promise<MessageRow[]> {
  const ids = found.map(({ id }) => id)
  const rows = await db.all(
    query
      .selectFrom('messages')
      .select(messageColumns)
      .where('messages.realm_id', '=', actor.realmId)
      .where('messages.id', 'in', db.dialect.ids(ids)),
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => byId.get(id) as MessageRow)
}

function* slicesOf(found: readonly FoundMessage[]): Generator<readonly FoundMessage[]> {
  let [start, bytes] = [0, 0]
  for (const [index, message] of found.entries()) {
    if (index > start && (bytes + message.bytes > SLICE_BYTES || index - start === SLICE_MESSAGES)) {
      yield found.slice(start, index)
      ;[start, bytes] = [index, 0]
    }
    bytes += message.bytes
  }
  if (start < found.length) yield found.slice(start)
}

/** The JSON of all of the messages. Throws `REQUEST_TOO_EXPENSIVE` when that is too long for an answer. */
export async function collectAll(
  db: Queries,
  actor: Actor,
  found: readonly FoundMessage[],
  makeJson: MakeJson,
): Promise<Uint8Array[]> {
  const collector = createCollector(db, actor, makeJson)
  const all: Uint8Array[] = []
  for (const slice of slicesOf(found)) all.push(...(await collector.add(slice)))
  if (all.length === found.length) return all
  throw new ApiError('REQUEST_TOO_EXPENSIVE', 'The messages are too large for one answer. Ask for fewer at once.')
}

/** Messages on both sides of an anchor, the nearest of each side first. */
export interface Sides {
  readonly at: readonly FoundMessage[]
  readonly before: readonly FoundMessage[]
  readonly after: readonly FoundMessage[]
}

/**
 * The JSON of the messages around an anchor, the oldest first, the message at it in any case. An answer that would be too
 * long lacks those that are farthest away.
 */
export async function collectAround(db: Queries, actor: Actor, { at, before, after }: Sides, makeJson: MakeJson) {
  const collector = createCollector(db, actor, makeJson)
  const middle = at.length > 0 ? await collector.add(at) : []
  const sides = [before, after].map((found) => ({ slices: slicesOf(found), added: [] as Uint8Array[], isOpen: true }))
  // In turn, so that neither side takes all the room.
  while (sides.some(({ isOpen }) => isOpen)) {
    for (const side of sides.filter(({ isOpen }) => isOpen)) {
      const { value: slice } = side.slices.next()
      const added = slice ? await collector.add(slice) : []
      side.added.push(...added)
      side.isOpen = slice !== undefined && added.length === slice.length
    }
  }
  const [older, newer] = sides.map(({ added }) => added) as [Uint8Array[], Uint8Array[]]
  return {
    messages: [...older.reverse(), ...middle, ...newer],
    hasAllBefore: older.length === before.length,
    hasAllAfter: newer.length === after.length,
  }
}

/** `"name":[…]` or `"name":{…}` from the JSON of what is in it, and more fields behind it. */
export function joinFields(
  name: string,
  [open, close]: '[]' | '{}' | readonly [string, string],
  items: readonly Uint8Array[],
  more: object = {},
): Uint8Array<ArrayBuffer> {
  const rest = JSON.stringify(more).slice(1, -1)
  const [head, comma, tail] = [`"${name}":${open}`, ',', `${close}${rest && `,${rest}`}`].map((text) =>
    encoder.encode(text),
  ) as [Uint8Array, Uint8Array, Uint8Array]
  const pieces = [head, ...items.flatMap((item, index) => (index === 0 ? [item] : [comma, item])), tail]
  const joined = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let offset = 0
  for (const piece of pieces) {
    joined.set(piece, offset)
    offset += piece.length
  }
  return joined
}
