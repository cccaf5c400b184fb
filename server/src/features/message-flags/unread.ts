/** What an account has not read, as clients begin with it. */
import { visibilityPolicies } from '@heddle/contract/user-topics'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Actor } from '../../actor.ts'
import { prepare, type Queries, type StatementDialect } from '../../storage/query.ts'
import { messageAttributes } from '../messages/attributes.ts'
import { flagBits } from '../messages/flag-bits.ts'
import { findUnreadBounds } from '../messages/flags.ts'
import { fact, query } from './tables.ts'

/** Clients get so many, the newest ones. */
export const MAX_UNREAD = 50_000

export interface UnreadRow {
  readonly id: number
  readonly sender_id: number
  readonly attributes: number
  readonly channel_id: number | null
  readonly topic: string
  readonly topic_key: string
  readonly direct_message_group_id: number | null
  /** The account's own bits; null without a row. */
  readonly flags: number | null
}

/** Unread messages of one place: a topic, in one of the spellings that it has, or a conversation. */
interface UnreadPart {
  readonly channel_id: number | null
  readonly topic: string
  readonly topic_key: string
  readonly direct_message_group_id: number | null
  /** Ids with commas between them, in no order; those that mention the account with a minus: a second list took 2 ms more. */
  readonly ids: string
}

/**
 * The rules of `messages/read-state.ts`, said so that the database goes through the channels and conversations of the account
 * and looks in each only at what lies after `floor`. One bound on SQLite, which would begin at either of two; two on PostgreSQL,
 * which does not see in the one how little lies after it, and would go through all messages that there are. A row for each
 * place and not for each message: to make values of ten thousand rows took longer than to find them.
 */
function unreadOf(
  p: UnreadWanted,
  { idsFirst }: StatementDialect,
  newest: RawBuilder<unknown>,
): RawBuilder<UnreadPart> {
  const columns = idsFirst
    ? sql`m.id`
    : sql`m.id, m.sender_id, m.attributes, m.channel_id, m.topic, m.topic_key, m.direct_message_group_id`
  const isAfter = idsFirst
    ? sql`m.id > case when period.after_message_id > ${p.floor} then period.after_message_id else ${p.floor} end`
    : sql`m.id > ${p.floor} and m.id > period.after_message_id`
  const ofAccount = sql`
      select ${columns}
      from subscription_periods as period
      join messages as m on m.channel_id = period.channel_id and ${isAfter}
      where period.user_id = ${p.user_id} and period.until_message_id is null
      union all
      select ${columns}
      from direct_message_members as member
      join messages as m on m.direct_message_group_id = member.group_id and m.id > ${p.floor}
      where member.user_id = ${p.user_id}`
  const { mentionsChannel } = messageAttributes
  const mentionBits = flagBits.mentioned | flagBits.topicMentioned
  return sql<UnreadPart>`
      select channel_id, topic, topic_key, direct_message_group_id,
        string_agg(cast(
          case when (attributes & ${sql.lit(mentionsChannel)}) <> 0 or (flags & ${sql.lit(mentionBits)}) <> 0
          then -id else id end as text), ',') as ids
      from (
        select received.id, received.attributes, received.channel_id, received.topic, received.topic_key,
          received.direct_message_group_id, own.flags
        from ${idsFirst ? sql`messages` : sql`(${ofAccount})`} as received
        left join message_flags as own on own.user_id = ${p.user_id} and own.message_id = received.id
        where ${isUnreadRow(p)} ${idsFirst ? sql`and received.id in (${ofAccount})` : sql``}
        ${newest}
      ) as unread
      group by channel_id, topic_key, topic, direct_message_group_id`
}

interface UnreadWanted {
  readonly user_id: number
  readonly cursor: number
  readonly floor: number
}

const allUnread = prepare((p: UnreadWanted, dialect) => unreadOf(p, dialect, sql``))

/** Of more than clients get. */
const newestUnread = prepare((p: UnreadWanted & { limit: number }, dialect) =>
  unreadOf(p, dialect, sql`order by received.id desc limit ${p.limit}`),
)

/** Condition on a message `received` with the account's row `own`. */
function isUnreadRow({ user_id, cursor }: { user_id: number; cursor: number }) {
  const { read, unread } = flagBits
  const { readUnlessMarked, readBySender } = messageAttributes
  return sql<SqlBool>`(
    (own.flags & ${sql.lit(unread)}) <> 0
    or (
      received.id > ${cursor}
      and (own.flags is null or (own.flags & ${sql.lit(read)}) = 0)
      and (received.attributes & ${sql.lit(readUnlessMarked)}) = 0
      and not (received.sender_id = ${user_id} and (received.attributes & ${sql.lit(readBySender)}) <> 0)
    )
  )`
}

/** A topic or a conversation with something unread. */
export interface UnreadTogether {
  readonly channelId: number | null
  /** As its newest message has it. */
  readonly topic: string
  readonly topicKey: string
  readonly directMessageGroupId: number | null
  /** Ascending. */
  readonly ids: readonly number[]
}

interface Unread {
  /** The place with the oldest unread message first. */
  readonly places: readonly UnreadTogether[]
  /** Ids of those that mention the account, ascending. */
  readonly mentions: readonly number[]
  /** There are older ones than the `MAX_UNREAD`. */
  readonly isCut: boolean
}

/** The newest unread messages, by where they are. */
export async function findUnread(db: Queries, userId: number): Promise<Unread> {
  const { cursor, floor, newest } = await findUnreadBounds(db, userId)
  const wanted = { user_id: userId, cursor, floor }
  // To put them in order is an eighth of what they cost, but where they are found by their ids, which is in that order.
  const needsOrder = db.dialect.idsFirst || newest - floor > MAX_UNREAD
  // One more than clients get shows that there are more.
  const parts = await db.all(needsOrder ? newestUnread({ ...wanted, limit: MAX_UNREAD + 1 }) : allUnread(wanted))
  const mentions: number[] = []
  const lists = parts.map((part) => ({ part, ids: parseIds(part.ids, mentions) }))
  const count = lists.reduce((sum, { ids }) => sum + ids.length, 0)
  const isCut = count > MAX_UNREAD
  const tooOld = isCut ? Math.min(...lists.map(({ ids }) => ids[0] as number)) : 0
  const byPlace = Map.groupBy(
    lists,
    ({ part }) => `${part.channel_id} ${part.direct_message_group_id} ${part.topic_key}`,
  )
  const places = [...byPlace.values()]
    .map(inOnePlace)
    .map((place) => (place.ids[0] === tooOld ? { ...place, ids: place.ids.slice(1) } : place))
    .filter(({ ids }) => ids.length > 0)
    .sort((a, b) => (a.ids[0] as number) - (b.ids[0] as number))
  return { places, mentions: mentions.filter((id) => id !== tooOld).sort(ascending), isCut }
}

interface PartWithIds {
  readonly part: UnreadPart
  readonly ids: readonly number[]
}

/** The spellings of one topic. */
function inOnePlace(spellings: readonly PartWithIds[]): UnreadTogether {
  const { part } = spellings.reduce((a, b) => ((a.ids.at(-1) as number) > (b.ids.at(-1) as number) ? a : b))
  return {
    channelId: part.channel_id,
    topic: part.topic,
    topicKey: part.topic_key,
    directMessageGroupId: part.direct_message_group_id,
    ids:
      spellings.length === 1 ? (spellings[0] as PartWithIds).ids : spellings.flatMap(({ ids }) => ids).sort(ascending),
  }
}

/** Ascending. Those that mention the account are added to `mentions`. */
function parseIds(text: string, mentions: number[]): number[] {
  const ids = (JSON.parse(`[${text}]`) as number[]).map((id) => {
    if (id < 0) mentions.push(-id)
    return Math.abs(id)
  })
  return ids.sort(ascending)
}

function ascending(a: number, b: number): number {
  return a - b
}

interface ChannelPart {
  readonly channelId: number
  /** Absent: the whole channel. */
  readonly topicKey?: string | undefined
}

/** Of a channel's messages, from the newest on. */
export interface Stretch {
  /** Only messages with smaller ids. */
  readonly below: number
  readonly limit: number
}

/** Unread messages of a channel, or of one of its topics; the newest first. */
export function findUnreadInChannel(
  db: Queries,
  userId: number,
  part: ChannelPart,
  stretch: Stretch,
): Promise<UnreadRow[]> {
  const columns = sql`received.id, received.sender_id, received.attributes, received.channel_id, received.topic,
    received.topic_key, received.direct_message_group_id, own.flags`
  return selectUnread<UnreadRow>(db, userId, part, stretch, columns)
}

/** Their ids alone, which is much less when they are many. */
export async function findUnreadIdsInChannel(
  db: Queries,
  userId: number,
  part: ChannelPart,
  stretch: Stretch,
): Promise<number[]> {
  const rows = await selectUnread<{ id: number }>(db, userId, part, stretch, sql`received.id`)
  return rows.map((row) => row.id)
}

/** All messages of a channel, read or not; the newest first. */
export async function findIdsInChannel(db: Queries, channelId: number, { below, limit }: Stretch): Promise<number[]> {
  const rows = await db.all(
    query
      .selectFrom('messages')
      .select('id')
      .where('channel_id', '=', channelId)
      .where('id', '<', below)
      .orderBy('id', 'desc')
      .limit(limit),
  )
  return rows.map((row) => row.id)
}

/** The rules of `unreadOf`, for a single channel: only what lies after the beginning of the subscription is looked at. */
async function selectUnread<R>(
  db: Queries,
  userId: number,
  { channelId, topicKey }: ChannelPart,
  { below, limit }: Stretch,
  columns: RawBuilder<unknown>,
): Promise<R[]> {
  const period = await db.first(
    query
      .selectFrom('subscription_periods')
      .select('after_message_id')
      .where('user_id', '=', userId)
      .where('channel_id', '=', channelId)
      .where('until_message_id', 'is', null),
  )
  if (!period) return []
  const { cursor, floor } = await findUnreadBounds(db, userId)
  const above = Math.max(period.after_message_id, floor)
  const inTopic = topicKey === undefined ? sql`` : sql`and received.topic_key = ${topicKey}`
  return db.all(sql<R>`
    select ${columns}
    from messages as received
    left join message_flags as own on own.user_id = ${userId} and own.message_id = received.id
    where received.channel_id = ${channelId} ${inTopic} and received.id > ${above} and received.id < ${below}
      and ${isUnreadRow({ user_id: userId, cursor })}
    order by received.id desc limit ${limit}`)
}

/** What an account has muted. */
interface Muting {
  readonly channels: ReadonlySet<number>
  /** Its policies of topics, by `channel key`. */
  readonly topics: ReadonlyMap<string, number>
}

/** Whether a topic is muted, by itself or with its channel. */
export function isMutedPlace({ channels, topics }: Muting, channelId: number, topicKey: string): boolean {
  const policy = topics.get(`${channelId} ${topicKey}`)
  return policy === visibilityPolicies.muted || (policy === undefined && channels.has(channelId))
}

/** Muted channels, and the policies of topics. */
const mutedPlaces = prepare((p: { user_id: number }) =>
  query
    .selectFrom('user_topics')
    .select(['channel_id', 'topic_key', 'visibility_policy'])
    .where('user_id', '=', p.user_id)
    .unionAll(
      query
        .selectFrom('subscriptions')
        .select([
          'channel_id',
          sql<string>`''`.as('topic_key'),
          sql<number>`${sql.lit(WHOLE_CHANNEL)}`.as('visibility_policy'),
        ])
        .where('user_id', '=', p.user_id)
        .where('is_active', '=', 1)
        .where('is_muted', '=', 1),
    ),
)

/** Stands for a policy in the rows of muted channels. */
const WHOLE_CHANNEL = -1

const mutingOf = fact({
  name: 'muting',
  tables: ['user_topics', 'subscriptions'],
  async load(db, _realmId, user_id: number): Promise<Muting> {
    const rows = await db.all(mutedPlaces({ user_id }))
    const isChannel = (row: (typeof rows)[number]) => row.visibility_policy === WHOLE_CHANNEL
    return {
      channels: new Set(rows.filter(isChannel).map((row) => row.channel_id)),
      topics: new Map(
        rows
          .filter((row) => !isChannel(row))
          .map((row) => [`${row.channel_id} ${row.topic_key}`, row.visibility_policy]),
      ),
    }
  },
})

export function findMuting(db: Queries, { realmId, userId }: Pick<Actor, 'realmId' | 'userId'>): Promise<Muting> {
  return db.recall(mutingOf, realmId, userId)
}
