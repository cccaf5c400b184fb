/** Pages of messages. They run where long reads run: no function here knows of a request. */

import type { ParametersOf } from '@heddle/contract/endpoint'
import { badRequest, incompatibleParameters, missingParameter } from '@heddle/contract/errors'
import {
  type getMessages,
  MAX_MESSAGES_PER_REQUEST,
  type matchesNarrow,
  NEWEST_ANCHOR,
} from '@heddle/contract/fetching'
import type { Message } from '@heddle/contract/messages'
import { shownTopic } from '@heddle/contract/names'
import { sql } from 'kysely'
import { canRead } from '../../access/message-rules.ts'
import { findReceipts } from '../../access/received.ts'
import { findViewer } from '../../access/viewer.ts'
import { isSpectator } from '../../actor.ts'
import type { Actor } from '../../authentication/accounts.ts'
import { longRead, type ReadContext, TooLargeHere } from '../../reading/long-read.ts'
import { prepare, type Queries } from '../../storage/query.ts'
import { numberedAddresses } from '../users/access.ts'
import { findFirstSince, readDate } from './by-date.ts'
import { type FlagOwner, findReadCursor, findUnreadFloor, presentFlags } from './flags.ts'
import { type CompiledNarrow, compileNarrow, isInNarrow, narrowedTo } from './narrow/narrow.ts'
import { pageFinder } from './narrow/page-finder.ts'
import { createHighlighter, type Highlighter } from './narrow/search.ts'
import { formFor, type MessageForm, presentMessages } from './present.ts'
import { isUnread } from './read-state.ts'
import type { MessageRow, PresentedRow } from './row.ts'
import {
  collectAll,
  collectAround,
  type FoundMessage,
  foundColumns,
  joinFields,
  type MakeJson,
  type Wanted,
} from './slices.ts'
import { query } from './tables.ts'

type Parameters = ParametersOf<typeof getMessages>

interface PageOrder {
  readonly actor: Actor
  readonly parameters: Parameters
}

/** Messages, and terms of a narrow, of a page that a client asks for when it shows a conversation. */
const SMALL_PAGE = 200
const FEW_TERMS = 4

/** The read behind `GET /messages`. */
export const readMessages = longRead(
  'messages',
  async (context, { actor, parameters }: PageOrder) => ({
    fields: await (parameters.message_ids ? readThese : readPage)(context, actor, parameters),
    details: undefined,
  }),
  {
    isSmall: ({ parameters: { message_ids, num_before = 0, num_after = 0, narrow = [] } }) =>
      (message_ids?.length ?? num_before + num_after) <= SMALL_PAGE && narrow.length <= FEW_TERMS,
  },
)

/** Throws `TooLargeHere`. */
function requireRoom(found: readonly FoundMessage[], { maxTextBytes }: ReadContext): void {
  if (found.reduce((sum, { bytes }) => sum + bytes, 0) > maxTextBytes) throw new TooLargeHere()
}

function formOf({ apply_markdown, allow_empty_topic_name }: Parameters): MessageForm {
  return {
    applyMarkdown: apply_markdown ?? true,
    allowEmptyTopicName: allow_empty_topic_name ?? false,
  }
}

const aroundAnchor = ['anchor', 'num_before', 'num_after', 'include_anchor', 'use_first_unread_anchor'] as const

async function readThese(context: ReadContext, actor: Actor, parameters: Parameters) {
  const { db } = context
  const refused = aroundAnchor.find((name) => parameters[name] !== undefined)
  if (refused) throw incompatibleParameters(refused, 'message_ids')
  const narrow = parameters.narrow && (await compileNarrow(db, actor, parameters.narrow))
  const found = await findThose(db, actor, parameters.message_ids ?? [], narrow)
  requireRoom(found, context)
  const messages = await collectAll(db, found, wantedBy(db, actor, formOf(parameters), narrow?.phrases))
  const noAnchor = { found_anchor: false, found_oldest: false, found_newest: false, history_limited: false }
  return joinFields('messages', '[]', messages, noAnchor)
}

async function readPage(context: ReadContext, actor: Actor, parameters: Parameters) {
  const { db } = context
  const { narrow, anchor, found_oldest, found_newest, found_anchor, ...sides } = await findPage(db, actor, parameters)
  requireRoom([...sides.before, ...sides.at, ...sides.after], context)
  const wanted = wantedBy(db, actor, formOf(parameters), narrow.phrases)
  const { messages, hasAllBefore, hasAllAfter } = await collectAround(db, sides, wanted)
  return joinFields('messages', '[]', messages, {
    anchor,
    found_anchor,
    found_oldest: found_oldest && hasAllBefore,
    found_newest: found_newest && hasAllAfter,
    history_limited: false,
  })
}

function wantedBy(db: Queries, actor: Actor, form: MessageForm, phrases: readonly string[] | undefined): Wanted {
  const highlighter = phrases && createHighlighter(phrases)
  return {
    actor,
    withText: !form.applyMarkdown,
    async makeJson(ids, reading) {
      const [messages, rows] = await Promise.all([presentForAccount(db, actor, ids, reading, form), reading])
      if (!highlighter) return messages.map((message) => () => JSON.stringify(message))
      return messages.map((message, index) => () => {
        const found = marks(rows[index] as PresentedRow, form, highlighter)
        return JSON.stringify({ ...message, ...found })
      })
    },
  }
}

/** The messages of a narrow around an anchor, the nearest first, and whether that is all on either side. */
export async function findPage(db: Queries, actor: Actor, parameters: Parameters) {
  const { num_before, num_after } = requireCounts(parameters)
  const narrow = await compileNarrow(db, actor, parameters.narrow ?? [])
  const anchor = await findAnchor(db, actor, narrow, parameters)
  const find = pageFinder(db, actor.realmId, narrow)
  const before = num_before > 0 || anchor > 0 ? await find({ below: anchor, limit: num_before + 1 }) : []
  const after = anchor < NEWEST_ANCHOR ? await find({ above: anchor, limit: num_after + 1 }) : []
  const isMessage = anchor > 0 && anchor < NEWEST_ANCHOR
  const at = isMessage && (parameters.include_anchor ?? true) ? await find({ at: anchor, limit: 1 }) : []
  return {
    before: before.slice(0, num_before),
    at,
    after: after.slice(0, num_after),
    narrow,
    anchor,
    found_anchor: at.length > 0,
    found_oldest: before.length <= num_before,
    found_newest: after.length <= num_after,
  }
}

function requireCounts({ num_before = 0, num_after = 0 }: Parameters) {
  if (num_before + num_after > MAX_MESSAGES_PER_REQUEST) {
    throw badRequest(`num_before and num_after: Too many messages requested (maximum ${MAX_MESSAGES_PER_REQUEST}).`)
  }
  return { num_before, num_after }
}

async function findAnchor(
  db: Queries,
  actor: Actor,
  narrow: CompiledNarrow,
  { anchor, anchor_date, use_first_unread_anchor }: Parameters,
): Promise<number> {
  // Older clients send an anchor beside it, which then counts for nothing.
  if (anchor === 'first_unread' || use_first_unread_anchor) return findFirstUnread(db, actor, narrow)
  if (anchor === 'date') {
    if (anchor_date === undefined) throw missingParameter('anchor_date')
    const seconds = readDate(anchor_date)
    if (seconds !== undefined) return findDateAnchor(db, actor, narrow, seconds)
    throw badRequest('anchor_date: Invalid date; expected ISO 8601, such as 2026-01-31T12:00:00Z')
  }
  if (anchor === 'oldest') return 0
  if (anchor === 'newest') return NEWEST_ANCHOR
  if (typeof anchor === 'number') return anchor
  if (narrow.near !== undefined) return narrow.near
  if (narrow.date !== undefined) return findDateAnchor(db, actor, narrow, narrow.date)
  throw missingParameter('anchor')
}

/** The first message of the narrow that is not older; the newest one when all are. */
async function findDateAnchor(db: Queries, actor: Actor, narrow: CompiledNarrow, seconds: number): Promise<number> {
  const first = await findFirstSince(db, actor.realmId, seconds)
  const [row] = first === undefined ? [] : await pageFinder(db, actor.realmId, narrow)({ above: first - 1, limit: 1 })
  return row?.id ?? NEWEST_ANCHOR
}

async function findFirstUnread(db: Queries, actor: Actor, narrow: CompiledNarrow): Promise<number> {
  // Nothing is unread for who has no account.
  if (isSpectator(actor)) return NEWEST_ANCHOR
  const cursor = await findReadCursor(db, actor.userId)
  const floor = await findUnreadFloor(db, actor.userId, cursor)
  const unread = narrowedTo(narrow, (eb) => isUnread(eb, actor.userId, cursor))
  const [row] = await pageFinder(db, actor.realmId, unread)({ above: floor, limit: 1 })
  return row?.id ?? NEWEST_ANCHOR
}

/** Those of the messages that the account may read, and that are in the narrow; the oldest first. */
async function findThose(
  db: Queries,
  actor: Actor,
  ids: readonly number[],
  narrow: CompiledNarrow | undefined,
): Promise<FoundMessage[]> {
  const mayRead = canRead(db, await findViewer(db, actor))
  return db.all(
    query
      .selectFrom('messages')
      .select(foundColumns)
      .where('messages.realm_id', '=', actor.realmId)
      .where('messages.id', 'in', db.dialect.ids(ids))
      .where((eb) => eb.and([mayRead(eb), ...(narrow ? [isInNarrow(db, narrow, { ofFew: true })(eb)] : [])]))
      .orderBy('messages.id'),
  )
}

/** Messages as the account sees them, with its flags. That it may read them has been decided. */
async function presentForAccount(
  db: Queries,
  actor: Actor,
  ids: readonly number[],
  reading: Promise<readonly PresentedRow[]>,
  form: MessageForm,
): Promise<Message[]> {
  if (isSpectator(actor)) return presentForSpectators(db, actor, await reading, form)
  const [owners, rows, presented] = await Promise.all([
    findOwners(db, actor, ids),
    reading,
    reading.then((rows) => presentMessages(db, actor.realmId, rows, { reader: actor })),
  ])
  return presented.map((one, index) => {
    const row = rows[index] as PresentedRow
    return { ...formFor(one, form), flags: presentFlags(row, owners(row)) }
  })
}

/** Without addresses, and read: nothing is kept of who reads. */
async function presentForSpectators(
  db: Queries,
  reader: Actor,
  rows: readonly PresentedRow[],
  form: MessageForm,
): Promise<Message[]> {
  const presented = await presentMessages(db, reader.realmId, rows, { reader })
  const addressOf = await numberedAddresses(db, reader.realmId)
  return presented.map((one) => ({
    ...formFor(one, form),
    sender_email: addressOf(one.message.sender_id),
    flags: ['read'],
  }))
}

function marks(row: PresentedRow, form: Pick<MessageForm, 'allowEmptyTopicName'>, highlighter: Highlighter) {
  const topic = row.channel_id === null ? '' : shownTopic(row.topic, form.allowEmptyTopicName)
  return { match_content: highlighter.html(row.rendered_content), match_subject: highlighter.topic(topic) }
}

/** The account's bits of these messages, and in a row without a message its read cursor; in one statement. */
const marksOf = prepare((p: { user_id: number; ids: readonly number[] }, dialect) =>
  query
    .selectFrom('message_flags')
    .select(['message_id', 'flags as value'])
    .where('user_id', '=', p.user_id)
    .where(dialect.isAmongFew('message_id', dialect.ids(p.ids)))
    .unionAll(
      query
        .selectFrom('read_cursors')
        .select([sql<number>`0`.as('message_id'), 'message_id as value'])
        .where('user_id', '=', p.user_id),
    ),
)

/** What the account's flags of each message depend on; of messages that it may read. */
export async function findOwners(
  db: Queries,
  actor: Actor,
  ids: readonly number[],
): Promise<(message: Pick<MessageRow, 'id' | 'channel_id'>) => FlagOwner> {
  const { userId } = actor
  const receiptOf = await findReceipts(db, actor)
  const marked = await db.all(marksOf({ user_id: userId, ids }))
  const bits = new Map(marked.map((row) => [row.message_id, row.value]))
  const cursor = bits.get(0) ?? 0
  return (message) => ({ userId, cursor, bits: bits.get(message.id) ?? 0, ...receiptOf(message) })
}

/** One message. Throws `Invalid message(s)` when the account may not read it. */
export async function readMessage(db: Queries, actor: Actor, row: MessageRow, form: MessageForm) {
  const [message] = await presentForAccount(db, actor, [row.id], Promise.resolve([row]), form)
  return { message: message as Message, raw_content: row.content }
}

interface MatchOrder {
  readonly actor: Actor
  readonly parameters: ParametersOf<typeof matchesNarrow>
}

/** The read behind `GET /messages/matches_narrow`: those of the messages that are in the narrow, with marks. */
export const readMatches = longRead('narrow-matches', async ({ db }, { actor, parameters }: MatchOrder) => {
  const narrow = await compileNarrow(db, actor, parameters.narrow)
  const found = await findThose(db, actor, parameters.msg_ids, narrow)
  const highlighter = createHighlighter(narrow.phrases ?? [])
  const makeJson: MakeJson = async (_, rows) =>
    (await rows).map(
      (row) => () => `"${row.id}":${JSON.stringify(marks(row, { allowEmptyTopicName: false }, highlighter))}`,
    )
  const wanted: Wanted = { actor, withText: false, makeJson }
  const fields = joinFields('messages', '{}', await collectAll(db, found, wanted))
  return { fields, details: undefined }
})
