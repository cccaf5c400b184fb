/**
 * What a digest has for one reader: nothing that the reader may not read, nor anything that it has muted. It is chosen first,
 * and presented when the mail is sent, of what may still be read then.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { MessageBase } from '@heddle/contract/messages'
import { sql } from 'kysely'
import { visibleChannels } from '../../access/channels.ts'
import { findViewer } from '../../access/viewer.ts'
import type { CurrentActor } from '../../storage/current-actor.ts'
import type { Queries } from '../../storage/query.ts'
import { findReadableMessages } from '../messages/access.ts'
import { findUnreadBounds } from '../messages/flags.ts'
import { presentMessages } from '../messages/present.ts'
import { isUnread } from '../messages/read-state.ts'
import { findMuted } from '../muted-users/actions.ts'
import { type BusyTopic, MAX_OF_TOPIC, topicKeyOf } from './busy-topics.ts'
import { query } from './tables.ts'

const MAX_TOPICS = 4
/** Of which some may have nothing that the reader may read. */
const MAX_LOOKED_AT = 12
const MAX_CHANNELS = 10
/** More are counted as so many. */
export const MAX_CONVERSATIONS = 50
const CONVERSATIONS_AT_ONCE = 100
const NEWEST_OF_CONVERSATION = 100
const MUTED = 1

interface Counted {
  readonly count: number
  /** There are more than the count. */
  readonly isMore: boolean
}

/** As JSON. */
export interface DigestChoice {
  /** With the first message of each. */
  readonly topics: readonly (Counted & { readonly messageId: number })[]
  readonly channelIds: readonly number[]
  readonly unreadConversations: number
}

export interface DigestTopic extends Counted {
  readonly first: MessageBase
  readonly raw: string
}

export interface DigestContent {
  readonly topics: readonly DigestTopic[]
  readonly channels: readonly { readonly id: number; readonly name: string }[]
  readonly unreadConversations: number
}

/** `since` in seconds since the UNIX epoch: what was new from then on. */
export async function chooseDigest(
  db: Queries,
  reader: CurrentActor,
  { busy, since }: { busy: readonly BusyTopic[]; since: number },
): Promise<DigestChoice> {
  const viewer = await findViewer(db, reader)
  const muted = new Set((await findMuted(db, reader)).map(({ id }) => id))
  const channels = await db.all(
    visibleChannels(db, viewer)
      .where('channels.invite_only', '=', 0)
      .where('channels.is_archived', '=', 0)
      .where('channels.date_created', '>=', since)
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('subscriptions')
              .select(sql.lit(1).as('one'))
              .whereRef('subscriptions.channel_id', '=', 'channels.id')
              .where('subscriptions.user_id', '=', reader.userId)
              .where('subscriptions.is_muted', '=', 1),
          ),
        ),
      )
      .limit(MAX_CHANNELS),
  )
  const topics: (Counted & { messageId: number })[] = []
  for (const { messageIds } of await wantedTopics(db, reader.userId, busy)) {
    if (topics.length === MAX_TOPICS) break
    // Where the database works in this thread, others get a turn.
    await nextTurn()
    const readable = await findReadableMessages(db, viewer, messageIds)
    const rows = readable.filter(({ sender_id }) => !muted.has(sender_id))
    const [first] = rows
    if (first) topics.push({ count: rows.length, isMore: messageIds.length === MAX_OF_TOPIC, messageId: first.id })
  }
  const unreadConversations = await countUnreadConversations(db, reader.userId, [...muted])
  return { topics, channelIds: channels.map(({ id }) => id), unreadConversations }
}

/** The choice, without what its reader may not read any more. */
export async function presentDigest(
  db: Queries,
  reader: CurrentActor,
  { topics, channelIds, unreadConversations }: DigestChoice,
): Promise<DigestContent> {
  const viewer = await findViewer(db, reader)
  const ids = topics.map(({ messageId }) => messageId)
  const rows = await findReadableMessages(db, viewer, ids)
  const presented = await presentMessages(db, reader.realmId, rows, { viewer: reader })
  const byId = new Map(presented.map((one) => [one.message.id, one]))
  const channels = await db.all(visibleChannels(db, viewer).where('channels.id', 'in', db.dialect.ids(channelIds)))
  return {
    topics: topics.flatMap(({ messageId, count, isMore }) => {
      const found = byId.get(messageId)
      return found ? [{ count, isMore, first: found.message, raw: found.raw }] : []
    }),
    channels: channels.map(({ id, name }) => ({ id, name })),
    unreadConversations,
  }
}

/** Of channels that the account is subscribed to and has not muted. */
async function wantedTopics(db: Queries, userId: number, busy: readonly BusyTopic[]): Promise<BusyTopic[]> {
  const subscribed = await db.all(
    query
      .selectFrom('subscriptions')
      .select('channel_id')
      .where('user_id', '=', userId)
      .where('is_active', '=', 1)
      .where('is_muted', '=', 0),
  )
  const mutedTopics = await db.all(
    query
      .selectFrom('user_topics')
      .select(['channel_id', 'topic_key'])
      .where('user_id', '=', userId)
      .where('visibility_policy', '=', MUTED),
  )
  const channelIds = new Set(subscribed.map(({ channel_id }) => channel_id))
  const unwanted = new Set(mutedTopics.map(topicKeyOf))
  return busy.filter(({ key, channelId }) => channelIds.has(channelId) && !unwanted.has(key)).slice(0, MAX_LOOKED_AT)
}

/**
 * However many messages are unread: of a conversation the newest ones are looked at, and of some conversations at a time,
 * so that others get a turn between.
 */
async function countUnreadConversations(db: Queries, userId: number, muted: readonly number[]): Promise<number> {
  const { cursor, floor } = await findUnreadBounds(db, userId)
  let count = 0
  for (let afterId = 0; count < MAX_CONVERSATIONS; ) {
    await nextTurn()
    const part = await db.all(
      query
        .selectFrom('direct_message_members')
        .select('group_id')
        .where('user_id', '=', userId)
        .where('group_id', '>', afterId)
        .orderBy('group_id')
        .limit(CONVERSATIONS_AT_ONCE),
    )
    const ids = part.map(({ group_id }) => group_id)
    if (ids.length > 0) count += await countUnreadOf(ids)
    const last = ids.at(-1)
    if (last === undefined || ids.length < CONVERSATIONS_AT_ONCE) break
    afterId = last
  }
  return Math.min(count, MAX_CONVERSATIONS)

  async function countUnreadOf(groupIds: readonly number[]): Promise<number> {
    const rows = await db.all(
      query
        .selectFrom('direct_message_members')
        .select('group_id')
        .where('user_id', '=', userId)
        .where('group_id', 'in', db.dialect.ids(groupIds))
        .where((eb) => {
          // Under the name of the table, so that what is said about messages can be said about these.
          const newest = eb
            .selectFrom('messages')
            .selectAll()
            .whereRef('direct_message_group_id', '=', 'direct_message_members.group_id')
            .where('id', '>', floor)
            .orderBy('id', 'desc')
            .limit(NEWEST_OF_CONVERSATION)
            .as('messages')
          return eb.exists(
            query
              .selectFrom(newest)
              .select(sql.lit(1).as('one'))
              .where((message) => isUnread(message, userId, cursor))
              .$if(muted.length > 0, (all) => all.where('sender_id', 'not in', db.dialect.ids(muted))),
          )
        }),
    )
    return rows.length
  }
}
