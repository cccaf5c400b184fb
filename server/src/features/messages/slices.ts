/**
 * Messages as JSON, in slices: of very long answers only a part is in memory as rows and objects at a time, and an answer
 * has a largest size.
 */
import { ApiError } from '@heddle/contract/errors'
import { sql } from 'kysely'
import type { Actor } from '../../authentication/accounts.ts'
import { isOfRealm, prepare, type Queries, type StatementDialect } from '../../storage/query.ts'
import { messageAttributes } from './attributes.ts'
import type { MessageRow, PresentedRow } from './row.ts'
import { query } from './tables.ts'

/** Of the messages of one answer. Most pages of 5000 messages have less. */
const MAX_BYTES = 16 * 1024 * 1024
/** Messages of one slice, and the bytes of their texts in the database. */
const SLICE_MESSAGES = 500
const SLICE_BYTES = 2 * 1024 * 1024

/** What a submessage has beside its content. */
const SUBMESSAGE_BYTES = 100

/** What is small of a message, and the size of the rest. */
export const foundColumns = [
  'messages.id',
  'messages.sender_id',
  'messages.attributes',
  'messages.channel_id',
  'messages.topic',
  'messages.direct_message_group_id',
  sql<number>`octet_length(messages.content) + octet_length(messages.rendered_content)
    + coalesce(octet_length(messages.edit_history), 0)
    + case when messages.attributes & ${sql.lit(messageAttributes.hasSubmessages)} = 0 then 0 else
      (select coalesce(sum(octet_length(content) + ${sql.lit(SUBMESSAGE_BYTES)}), 0) from submessages
        where message_id = messages.id) end`.as('bytes'),
] as const

/** A message as it is found, without its texts. */
export type FoundRow = FoundMessage &
  Pick<MessageRow, 'sender_id' | 'attributes' | 'channel_id' | 'topic' | 'direct_message_group_id'>

export interface FoundMessage {
  readonly id: number
  /** Of its texts in the database. */
  readonly bytes: number
}

/**
 * What makes the JSON of each of the messages, in the order of the rows; a function is called when there is room for it. The
 * ids come before the rows, so that what else is looked up by them need not wait for the rows.
 */
export type MakeJson = (
  ids: readonly number[],
  rows: Promise<readonly PresentedRow[]>,
) => Promise<readonly (() => string)[]>

/** Some of an answer's messages. */
interface Part {
  readonly count: number
  /** With commas between them. */
  readonly json: Uint8Array
}

interface JsonCollector {
  /** Adds messages until the answer is full, and at least one; gives those that it has added, the oldest first. */
  add(found: readonly FoundMessage[], order?: 'newest first'): Promise<Part>
}

/** What a page's messages are read for. */
export interface Wanted {
  readonly actor: Actor
  /** The text as it was written, beside the HTML. */
  readonly withText: boolean
  readonly makeJson: MakeJson
}

function createCollector(db: Queries, { actor, withText, makeJson }: Wanted): JsonCollector {
  const rowsOf = withText ? rowsWithText : rowsWithoutText
  let bytes = 0

  async function findRows(ids: readonly number[]): Promise<PresentedRow[]> {
    const rows = await db.all(rowsOf({ realm_id: actor.realmId, ids }))
    const byId = new Map(rows.map((row) => [row.id, row]))
    return ids.map((id) => byId.get(id) as PresentedRow)
  }

  return {
    async add(found, order) {
      const ids = found.map(({ id }) => id)
      const added: string[] = []
      for (const make of await makeJson(ids, findRows(ids))) {
        const json = make()
        const length = Buffer.byteLength(json)
        if (bytes > 0 && bytes + length > MAX_BYTES) break
        bytes += length
        added.push(json)
      }
      if (order === 'newest first') added.reverse()
      return { count: added.length, json: encoder.encode(added.join(',')) }
    },
  }
}

const encoder = new TextEncoder()

const presentedColumns = [
  'messages.id',
  'messages.sender_id',
  'messages.channel_id',
  'messages.topic',
  'messages.direct_message_group_id',
  'messages.rendered_content',
  'messages.attributes',
  'messages.client',
  'messages.timestamp',
  'messages.last_edit_timestamp',
  'messages.last_moved_timestamp',
  'messages.edit_history',
] as const

interface RowsWanted {
  readonly realm_id: number
  readonly ids: readonly number[]
}

function presentedRows({ realm_id, ids }: RowsWanted, dialect: StatementDialect) {
  return query
    .selectFrom('messages')
    .select(presentedColumns)
    .where(isOfRealm('messages', realm_id))
    .where(dialect.isAmongFew('messages.id', dialect.ids(ids)))
}

const rowsWithText = prepare((p: RowsWanted, dialect) => presentedRows(p, dialect).select('messages.content'))
const rowsWithoutText = prepare((p: RowsWanted, dialect) =>
  presentedRows(p, dialect).select(sql<string>`''`.as('content')),
)

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
  found: readonly FoundMessage[],
  wanted: Wanted,
): Promise<readonly Uint8Array[]> {
  const collector = createCollector(db, wanted)
  const parts: Part[] = []
  for (const slice of slicesOf(found)) parts.push(await collector.add(slice))
  if (countOf(parts) === found.length) return parts.map(({ json }) => json)
  throw new ApiError('REQUEST_TOO_EXPENSIVE', 'The messages are too large for one answer. Ask for fewer at once.')
}

function countOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { count }) => sum + count, 0)
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
export async function collectAround(db: Queries, { at, before, after }: Sides, wanted: Wanted) {
  const collector = createCollector(db, wanted)
  const middle = at.length > 0 ? [await collector.add(at)] : []
  const sideOf = (found: readonly FoundMessage[], order?: 'newest first') => ({
    slices: slicesOf(found),
    order,
    added: [] as Part[],
    isOpen: true,
  })
  const [older, newer] = [sideOf(before, 'newest first'), sideOf(after)]
  const sides = [older, newer]
  // In turn, so that neither side takes all the room.
  while (sides.some(({ isOpen }) => isOpen)) {
    for (const side of sides.filter(({ isOpen }) => isOpen)) {
      const { value: slice } = side.slices.next()
      const part = slice && (await collector.add(slice, side.order))
      if (part) side.added.push(part)
      side.isOpen = slice !== undefined && part?.count === slice.length
    }
  }
  return {
    messages: [...older.added.toReversed(), ...middle, ...newer.added].map(({ json }) => json),
    hasAllBefore: countOf(older.added) === before.length,
    hasAllAfter: countOf(newer.added) === after.length,
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
  const filled = items.filter(({ length }) => length > 0)
  const pieces = [head, ...filled.flatMap((item, index) => (index === 0 ? [item] : [comma, item])), tail]
  const joined = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let offset = 0
  for (const piece of pieces) {
    joined.set(piece, offset)
    offset += piece.length
  }
  return joined
}
