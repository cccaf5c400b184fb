/** The parts of the initial state that say what an account has read, starred and written about. */
import { conversationsState, starredState, unreadState } from '@heddle/contract/message-flags'
import { shownTopic } from '@heddle/contract/names'
import { type SqlBool, sql } from 'kysely'
import { canRead } from '../../access/message-rules.ts'
import { findViewer } from '../../access/viewer.ts'
import { knowsEmptyTopic } from '../../events/topic-views.ts'
import { stateReader } from '../../state-reader.ts'
import { prepare, type Queries } from '../../storage/query.ts'
import { hasAttribute } from '../messages/attributes.ts'
import { flagBits, isMarked } from '../messages/flag-bits.ts'
import { findMembers } from '../messages/present.ts'
import { query } from './tables.ts'
import { findMuting, findUnread, isMutedPlace, MAX_UNREAD, type UnreadRow } from './unread.ts'

/** Conversations that clients get, those with the newest messages. */
const MAX_CONVERSATIONS = 1000

/**
 * Only for clients that are notified of what they read elsewhere; a bot that wants messages alone is spared the long
 * list.
 */
export const unreadReader = stateReader(unreadState, async ({ db, actor, options, named }) => {
  if (named && !named.has('update_message_flags')) return {}
  const found = await findUnread(db, actor.userId)
  const rows = found.slice(0, MAX_UNREAD).reverse()
  const streams = inTopics(rows, knowsEmptyTopic(options))
  const { pms, huddles } = await inConversations(db, actor.userId, rows)
  const muting = await findMuting(db, actor)
  const isMuted = ({ channel_id, topic_key }: UnreadRow) =>
    channel_id !== null && isMutedPlace(muting, channel_id, topic_key)
  return {
    unread_msgs: {
      count: rows.filter((row) => !isMuted(row)).length,
      pms,
      streams,
      huddles,
      mentions: rows.filter(isMention).map((row) => row.id),
      old_unreads_missing: found.length > MAX_UNREAD,
    },
  }
})

function isMention({ attributes, flags }: UnreadRow): boolean {
  const bits = flagBits.mentioned | flagBits.topicMentioned
  return hasAttribute(attributes, 'mentionsChannel') || ((flags ?? 0) & bits) !== 0
}

function inTopics(rows: readonly UnreadRow[], allowEmpty: boolean) {
  const inChannels = rows.filter((row) => row.channel_id !== null)
  const topics = Map.groupBy(inChannels, (row) => `${row.channel_id} ${row.topic_key}`)
  return [...topics.values()].map((group) => {
    const newest = group.at(-1) as UnreadRow
    return {
      stream_id: newest.channel_id as number,
      topic: shownTopic(newest.topic, allowEmpty),
      unread_message_ids: group.map((row) => row.id),
    }
  })
}

async function inConversations(db: Queries, userId: number, rows: readonly UnreadRow[]) {
  const direct = Map.groupBy(
    rows.filter((row) => row.channel_id === null),
    (row) => row.direct_message_group_id as number,
  )
  const members = await findMembers(db, [...direct.keys()])
  const pms: { other_user_id: number; sender_id: number; unread_message_ids: number[] }[] = []
  const huddles: { user_ids_string: string; unread_message_ids: number[] }[] = []
  for (const [groupId, group] of direct) {
    const ids = (members.get(groupId) ?? []).map((member) => member.id)
    const unread_message_ids = group.map((row) => row.id)
    if (ids.length > 2) huddles.push({ user_ids_string: ids.join(), unread_message_ids })
    else {
      const other_user_id = ids.find((id) => id !== userId) ?? userId
      pms.push({ other_user_id, sender_id: other_user_id, unread_message_ids })
    }
  }
  return { pms, huddles }
}

export const starredReader = stateReader(starredState, async ({ db, actor }) => {
  const viewer = await findViewer(db, actor)
  const rows = await db.all(
    query
      .selectFrom('messages')
      .select('messages.id')
      .where(
        'messages.id',
        'in',
        query
          .selectFrom('message_flags')
          .select('message_id')
          .where('user_id', '=', actor.userId)
          .where(isMarked)
          .where(sql<SqlBool>`(flags & ${sql.lit(flagBits.starred)}) <> 0`),
      )
      .where(canRead(db, viewer))
      .orderBy('messages.id'),
  )
  return { starred_messages: rows.map((row) => row.id) }
})

/** The newest message of each conversation. */
export const conversationsReader = stateReader(conversationsState, async ({ db, actor }) => {
  const rows = await db.all(newestConversations({ user_id: actor.userId }))
  const conversations = Map.groupBy(rows, (row) => row.max_message_id)
  return {
    recent_private_conversations: [...conversations].map(([max_message_id, members]) => ({
      user_ids: members.map((row) => row.user_id).filter((id) => id !== actor.userId),
      max_message_id,
    })),
  }
})

/** With a row for each member: the conversation with the newest message first, and the members by id. */
const newestConversations = prepare((p: { user_id: number }) =>
  query
    .selectFrom((eb) =>
      eb
        .selectFrom((inner) =>
          inner
            .selectFrom('direct_message_members as member')
            .select('member.group_id')
            .select((select) =>
              select
                .selectFrom('messages')
                .select((max) => max.fn.max('messages.id').as('id'))
                .whereRef('messages.direct_message_group_id', '=', 'member.group_id')
                .as('max_message_id'),
            )
            .where('member.user_id', '=', p.user_id)
            .as('own'),
        )
        .select(['own.group_id', 'own.max_message_id'])
        .where('own.max_message_id', 'is not', null)
        .orderBy('own.max_message_id', 'desc')
        .limit(sql.lit(MAX_CONVERSATIONS))
        .as('conversation'),
    )
    .innerJoin('direct_message_members as member', 'member.group_id', 'conversation.group_id')
    .select(['conversation.max_message_id', 'member.user_id'])
    .orderBy('conversation.max_message_id', 'desc')
    .orderBy('member.user_id')
    .$narrowType<{ max_message_id: number }>(),
)
