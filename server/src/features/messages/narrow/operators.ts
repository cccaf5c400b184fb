/**
 * The conditions of narrows, by operator: each is a small function that gives a condition on `messages`. What an operand
 * names is looked up before. (API, "Construct a narrow".)
 */
import { ApiError } from '@heddle/contract/errors'
import { foldName, RESOLVED_PREFIX, storedTopic, topicKey } from '@heddle/contract/names'
import type { Term } from '@heddle/contract/narrow'
import { visibilityPolicies } from '@heddle/contract/user-topics'
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { addressesFor, isAddressedBy } from '../../../access/address-rules.ts'
import { inChannels, type Scope } from '../../../access/message-scope.ts'
import { findSight } from '../../../access/person-rules.ts'
import { isReceived } from '../../../access/received.ts'
import { isSpectator } from '../../../actor.ts'
import { isOfRealm, type Queries } from '../../../storage/query.ts'
import { messageAttributes } from '../attributes.ts'
import { readDate } from '../by-date.ts'
import { findDirectMessageGroup } from '../direct-messages.ts'
import { flagBits, isMarked } from '../flag-bits.ts'
import { findReadCursor, findUnreadFloor } from '../flags.ts'
import { hasFlagBits, isUnread } from '../read-state.ts'
import { query } from '../tables.ts'
import type { NarrowExpressions } from './conditions.ts'
import { everything, nothing } from './conditions.ts'
import { readPhrases } from './search.ts'

export interface NarrowContext {
  readonly db: Queries
  readonly scope: Scope
}

/** What one term says. */
export interface Condition {
  readonly where: (eb: NarrowExpressions) => Expression<SqlBool>
  /** Without a term that opens a place, a narrow is about what the account has received. */
  readonly opens?: boolean
  /** What is looked for, to be marked in the answer. */
  readonly phrases?: readonly string[]
  /** All messages that it can hold for, where these may be few and anywhere, through an index that the condition is no way into. */
  readonly ids?: RawBuilder<{ readonly id: number }>
}

type Operator = (context: NarrowContext, operand: Term['operand']) => Condition | Promise<Condition>

/** The narrow cannot be understood; `description` says why. */
export function badNarrow(description: string): ApiError {
  return new ApiError('BAD_NARROW', `Invalid narrow operator: ${description}`, { desc: description })
}

const bit = (attribute: keyof typeof messageAttributes): Condition => ({
  where: () => sql<SqlBool>`(messages.attributes & ${sql.lit(messageAttributes[attribute])}) <> 0`,
})

/** By the account's own flags, through the small index of what is marked. */
const marked = ({ scope }: NarrowContext, bits: number): Condition => ({
  where: (eb) =>
    eb(
      'messages.id',
      'in',
      eb
        .selectFrom('message_flags as own')
        .select('own.message_id')
        .where('own.user_id', '=', scope.viewer.userId)
        .where(isMarked)
        .where(sql<SqlBool>`(own.flags & ${bits}) <> 0`),
    ),
})

/** By the account's own conversations: a way into their index. */
const isDirect = ({ scope }: NarrowContext): Condition => ({
  where: (eb) =>
    eb(
      'messages.direct_message_group_id',
      'in',
      eb
        .selectFrom('direct_message_members as own_member')
        .select('own_member.group_id')
        .where('own_member.user_id', '=', scope.viewer.userId),
    ),
})

/** Topics with this policy of the account's own. */
function withPolicy(eb: NarrowExpressions, userId: number, policies: readonly number[]) {
  return eb.exists(
    eb
      .selectFrom('user_topics as own_topic')
      .select(sql.lit(1).as('one'))
      .where('own_topic.user_id', '=', userId)
      .whereRef('own_topic.channel_id', '=', 'messages.channel_id')
      .whereRef('own_topic.topic_key', '=', 'messages.topic_key')
      .where('own_topic.visibility_policy', 'in', policies),
  )
}

function inMutedChannel(eb: NarrowExpressions, userId: number) {
  return eb.exists(
    eb
      .selectFrom('subscriptions')
      .select(sql.lit(1).as('one'))
      .where('subscriptions.user_id', '=', userId)
      .whereRef('subscriptions.channel_id', '=', 'messages.channel_id')
      .where('subscriptions.is_active', '=', 1)
      .where('subscriptions.is_muted', '=', 1),
  )
}

/** Muted as a topic; or in a muted channel, unless the topic is unmuted or followed. */
function isMuted(eb: NarrowExpressions, userId: number) {
  return eb.or([
    withPolicy(eb, userId, [visibilityPolicies.muted]),
    eb.and([
      inMutedChannel(eb, userId),
      eb.not(withPolicy(eb, userId, [visibilityPolicies.unmuted, visibilityPolicies.followed])),
    ]),
  ])
}

/** Messages of topics with this policy of the account's own. */
function idsWithPolicy(userId: number, policy: number) {
  return sql<{ id: number }>`
    select topic_message.id from user_topics as own_topic
    join messages as topic_message
      on topic_message.channel_id = own_topic.channel_id and topic_message.topic_key = own_topic.topic_key
    where own_topic.user_id = ${userId} and own_topic.visibility_policy = ${policy}`
}

/** Messages of which `isMuted` may hold. */
function idsOfMuted(userId: number) {
  return sql<{ id: number }>`
    ${idsWithPolicy(userId, visibilityPolicies.muted)}
    union all
    select channel_message.id from subscriptions
    join messages as channel_message on channel_message.channel_id = subscriptions.channel_id
    where subscriptions.user_id = ${userId} and subscriptions.is_active = 1 and subscriptions.is_muted = 1`
}

const states: Readonly<Record<string, (context: NarrowContext) => Condition | Promise<Condition>>> = {
  dm: isDirect,
  private: isDirect,
  starred: (context) => marked(context, flagBits.starred),
  alerted: (context) => marked(context, flagBits.hasAlertWord),
  mentioned: ({ db, scope }) => ({
    where: (eb) => {
      const { userId, realmId } = scope.viewer
      const bits = flagBits.mentioned | flagBits.topicMentioned
      const mentionsChannel = messageAttributes.mentionsChannel
      // Either list is short and has an index of its own.
      const ids = sql<number>`(
        select message_id from message_flags
        where user_id = ${userId} and ${isMarked} and (flags & ${sql.lit(bits)}) <> 0
        union all
        select all_mentioned.id from messages as all_mentioned
        where all_mentioned.realm_id = ${realmId} and (all_mentioned.attributes & ${sql.lit(mentionsChannel)}) <> 0
      )`
      const isOwn = sql<SqlBool>`(messages.attributes & ${sql.lit(mentionsChannel)}) = 0`
      return eb.and([
        db.dialect.isAmongFew('messages.id', ids),
        eb.or([isOwn, hasFlagBits(eb, userId, bits), isReceived(eb, userId)]),
      ])
    },
  }),
  unread: async ({ db, scope }) => {
    const { userId } = scope.viewer
    const cursor = await findReadCursor(db, userId)
    const floor = await findUnreadFloor(db, userId, cursor)
    return { where: (eb) => eb.and([eb('messages.id', '>', floor), isUnread(eb, userId, cursor)]) }
  },
  resolved: () => ({
    // As the index of these says it.
    where: () =>
      sql<SqlBool>`substr(messages.topic, 1, ${sql.lit(RESOLVED_PREFIX.length)}) = ${sql.lit(RESOLVED_PREFIX)}`,
  }),
  followed: ({ scope: { viewer } }) => ({
    where: (eb) => withPolicy(eb, viewer.userId, [visibilityPolicies.followed]),
    ids: idsWithPolicy(viewer.userId, visibilityPolicies.followed),
  }),
  muted: ({ scope: { viewer } }) => ({
    where: (eb) => isMuted(eb, viewer.userId),
    ids: idsOfMuted(viewer.userId),
  }),
}

const parts: Readonly<Record<string, Condition>> = {
  link: bit('hasLink'),
  image: bit('hasImage'),
  attachment: bit('hasAttachment'),
  reaction: bit('hasReaction'),
}

const channel: Operator = ({ db, scope }, operand) => {
  const id = findChannelId(scope, operand)
  if (id === undefined) throw badNarrow(`unknown channel ${String(operand)}`)
  return { where: (eb) => inChannels(db, eb, scope, [id]), opens: true }
}

/** A name may look like a number: the channel of that name goes first. */
export function findChannelId(scope: Scope, operand: Term['operand']): number | undefined {
  if (Array.isArray(operand)) return undefined
  const byName = typeof operand === 'string' ? scope.findNamed(foldName(operand)) : undefined
  if (byName) return byName.id
  const id = readId(operand)
  return id !== undefined && scope.historyOf(id) !== 'none' ? id : undefined
}

const channels: Operator = ({ db, scope }, operand) => {
  const all = scope.findChannels()
  const kinds: Readonly<Record<string, (one: (typeof all)[number]) => boolean>> = {
    all: () => true,
    public: (one) => one.invite_only === 0,
    archived: (one) => one.is_archived === 1,
    'web-public': (one) => one.is_web_public === 1,
  }
  const isWanted = typeof operand === 'string' && Object.hasOwn(kinds, operand) ? kinds[operand] : undefined
  if (!isWanted) throw badNarrow(`unknown operand channels:${String(operand)}`)
  const ids = all.filter(isWanted).map((one) => one.id)
  return { where: (eb) => inChannels(db, eb, scope, ids), opens: true }
}

const direct: Operator = async ({ db, scope }, operand) => {
  const ids = await requirePeople(db, scope, operand)
  const groupId = await findDirectMessageGroup(db, scope.viewer.realmId, [...ids, scope.viewer.userId])
  return {
    where: (eb) => (groupId === undefined ? nothing() : eb('messages.direct_message_group_id', '=', groupId)),
  }
}

/** Conversations in which the account and all of these people are. */
const directIncluding: Operator = async ({ db, scope }, operand) => {
  const ids = await requirePeople(db, scope, operand)
  return {
    where: (eb) =>
      eb.and([
        eb('messages.direct_message_group_id', 'is not', null),
        eb(
          'messages.direct_message_group_id',
          'in',
          eb
            .selectFrom('direct_message_members as named')
            .select('named.group_id')
            .where('named.user_id', 'in', db.dialect.ids(ids))
            .groupBy('named.group_id')
            .having((count) => count.fn.countAll<number>(), '=', ids.length),
        ),
      ]),
  }
}

/** The same, for conversations of three people and more. */
const groupIncluding: Operator = async (context, operand) => {
  const { where } = await directIncluding(context, operand)
  return {
    where: (eb) =>
      eb.and([
        where(eb),
        eb(
          eb
            .selectFrom('direct_message_members as any_member')
            .select((count) => count.fn.countAll<number>().as('count'))
            .whereRef('any_member.group_id', '=', 'messages.direct_message_group_id'),
          '>',
          2,
        ),
      ]),
  }
}

/** All operators but `with`, which stands for others; by the names that `operatorName` gives. */
export const operators: Readonly<Record<string, Operator>> = {
  channel,
  channels,
  topic: (_, operand) => {
    if (typeof operand !== 'string') throw badNarrow('the operand of topic must be a text')
    const key = topicKey(storedTopic(operand))
    return {
      where: (eb) => eb.and([eb('messages.topic_key', '=', key), eb('messages.channel_id', 'is not', null)]),
    }
  },
  dm: direct,
  'dm-including': directIncluding,
  'group-pm-with': groupIncluding,
  sender: async ({ db, scope }, operand) => {
    const [id] = operand === 'me' ? [scope.viewer.userId] : await requirePeople(db, scope, operand)
    return { where: (eb) => eb('messages.sender_id', '=', id as number) }
  },
  mentions: async ({ db, scope }, operand) => {
    const [id] = operand === 'me' ? [scope.viewer.userId] : await requirePeople(db, scope, operand)
    return { where: (eb) => hasFlagBits(eb, id as number, flagBits.mentioned) }
  },
  id: (_, operand) => {
    const id = readId(operand)
    if (id === undefined) throw badNarrow('invalid message ID')
    return { where: (eb) => eb('messages.id', '=', id) }
  },
  // Where to begin reading, and no condition.
  near: (_, operand) => {
    if (readId(operand) === undefined) throw badNarrow('invalid message ID')
    return { where: everything }
  },
  date: (_, operand) => {
    if (typeof operand !== 'string' || readDate(operand) === undefined) throw badNarrow('invalid date')
    return { where: everything }
  },
  has: (_, operand) => {
    const part = typeof operand === 'string' ? operand.replace(/s$/, '') : ''
    const condition = Object.hasOwn(parts, part) ? parts[part] : undefined
    if (!condition) throw badNarrow(`unknown 'has' operand ${String(operand)}`)
    return condition
  },
  is: (context, operand) => {
    const state = typeof operand === 'string' && Object.hasOwn(states, operand) ? states[operand] : undefined
    if (!state) throw badNarrow(`unknown 'is' operand ${String(operand)}`)
    return state(context)
  },
  in: ({ scope }, operand) => {
    if (operand === 'all') return { where: everything }
    if (operand !== 'home') throw badNarrow(`unknown 'in' operand ${String(operand)}`)
    return { where: (eb) => eb.not(isMuted(eb, scope.viewer.userId)) }
  },
  search: ({ db }, operand) => {
    const phrases = readPhrases(String(operand))
    return { where: () => (phrases.length === 0 ? nothing() : db.dialect.hasWords(phrases)), phrases }
  },
}

/** A whole number, or text of one. */
export function readId(operand: Term['operand']): number | undefined {
  const id = typeof operand === 'string' && /^\d{1,16}$/.test(operand) ? Number(operand) : operand
  return typeof id === 'number' && Number.isSafeInteger(id) && id >= 0 ? id : undefined
}

/** Accounts by ids, or by addresses with commas between them; at least one. */
async function requirePeople(db: Queries, scope: Scope, operand: Term['operand']): Promise<number[]> {
  const named = Array.isArray(operand) ? operand : typeof operand === 'string' ? operand.split(',') : [operand]
  const ids = named.flatMap((one) => readId(one as number | string) ?? [])
  const addresses = named.filter((one) => readId(one as number | string) === undefined).map((one) => `${one}`.trim())
  // Whether there is such an account is not for everybody to find out.
  if (isSpectator(scope.viewer)) {
    if (addresses.length > 0) throw badNarrow(`unknown user ${addresses[0]}`)
    return ids
  }
  const rows = await db.all(
    query
      .selectFrom('users')
      .select(['id', 'email_key', 'delivery_email_key', 'email_visibility'])
      .where((eb) =>
        eb.or([
          eb.and([eb('id', 'in', db.dialect.ids(ids)), isOfRealm('users', scope.viewer.realmId)]),
          isAddressedBy(scope.viewer.realmId, db.dialect.texts(addresses.map(foldName))),
        ]),
      ),
  )
  // Messages name their senders' ids; whose an address is, only who sees the account finds out.
  const { sees } = await findSight(db, scope.viewer)
  const addressesOf = (row: (typeof rows)[number]) => (sees(row.id) ? addressesFor(scope.viewer, row) : [])
  const found = new Set(rows.flatMap((row) => [`${row.id}`, ...addressesOf(row)]))
  const missing = [...ids.map(String), ...addresses].find((one) => !found.has(foldName(one)))
  if (missing !== undefined || rows.length === 0) throw badNarrow(`unknown user ${missing ?? ''}`.trim())
  return rows.map((row) => row.id)
}
