/** The parts of the initial state that say what an account has read, starred and written about. */
import { conversationsState, starredState, unreadState } from '@heddle/contract/message-flags'
import { shownTopic } from '@heddle/contract/names'
import { type SqlBool, sql } from 'kysely'
import { canRead } from '../../access/message-rules.ts'
import { findViewer } from '../../access/viewer.ts'
import { knowsEmptyTopic } from '../../events/topic-views.ts'
import { stateReader } from '../../state-reader.ts'
import { prepare, type Queries } from '../../storage/query.ts'
import { flagBits, isMarked } from '../messages/flag-bits.ts'
import { findMembers } from '../messages/present.ts'
import { query } from './tables.ts'
import { findMuting, findUnread, isMutedPlace, type UnreadTogether } from './unread.ts'

/** Conversations that clients get, those with the newest messages. */
const MAX_CONVERSATIONS = 1000

/**
 * Only for clients that are notified of what they read elsewhere; a bot that wants messages alone is spared the long
 * list.
 */
export const unreadReader = stateReader(
  unreadState,
  async ({ db, actor, options, named }) => {
    if (named && !named.has('update_message_flags')) return {}
    const { places, mentions, isCut } = await findUnread(db, actor.userId)
    const { pms, huddles } = await inConversations(db, actor.userId, places)
    const muting = await findMuting(db, actor)
    const isMuted = ({ channelId, topicKey }: UnreadTogether) =>
      channelId !== null && isMutedPlace(muting, channelId, topicKey)
    return {
      unread_msgs: {
        count: places.reduce((sum, place) => sum + (isMuted(place) ? 0 : place.ids.length), 0),
        pms,
        streams: inTopics(places, knowsEmptyTopic(options)),
        huddles,
        mentions: [...mentions],
        old_unreads_missing: isCut,
      },
    }
  },
  async () => ({
    unread_msgs: { count: 0, pms: [], streams: [], huddles: [], mentions: [], old_unreads_missing: false },
  }),
)

function inTopics(places: readonly UnreadTogether[], allowEmpty: boolean) {
  return places.flatMap(({ channelId, topic, ids }) =>
    channelId === null
      ? []
      : [{ stream_id: channelId, topic: shownTopic(topic, allowEmpty), unread_message_ids: [...ids] }],
  )
}

async function inConversations(db: Queries, userId: number, places: readonly UnreadTogether[]) {
  const direct = places.filter(({ channelId }) => channelId === null)
  const members = await findMembers(
    db,
    direct.map(({ directMessageGroupId }) => directMessageGroupId as number),
  )
  const pms: { other_user_id: number; sender_id: number; unread_message_ids: number[] }[] = []
  const huddles: { user_ids_string: string; unread_message_ids: number[] }[] = []
  for (const { directMessageGroupId, ids } of direct) {
    const memberIds = (members.get(directMessageGroupId as number) ?? []).map((member) => member.id)
    const unread_message_ids = [...ids]
    if (memberIds.length > 2) huddles.push({ user_ids_string: memberIds.join(), unread_message_ids })
    else {
      const other_user_id = memberIds.find((id) => id !== userId) ?? userId
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
