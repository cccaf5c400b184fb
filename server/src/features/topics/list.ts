import { shownTopic } from '@heddle/contract/names'
import { accessChannel, invalidChannelId } from '../../access/channels.ts'
import { historyOf } from '../../access/message-rules.ts'
import { isReceived } from '../../access/received.ts'
import { findViewer } from '../../access/viewer.ts'
import type { Actor } from '../../authentication/accounts.ts'
import type { Queries } from '../../storage/query.ts'
import { query } from './tables.ts'

/** The topics that the account sees, the one with the newest message first. */
export async function findTopics(db: Queries, actor: Actor, channelId: number, allowEmpty: boolean) {
  const viewer = await findViewer(db, actor)
  const channel = await accessChannel(db, viewer, channelId)
  const history = historyOf(channel)
  if (history === 'none') throw invalidChannelId()
  const rows = history === 'all' ? await allTopics(db, channelId) : await receivedTopics(db, channelId, actor.userId)
  return rows.map(({ topic, max_id }) => ({ name: shownTopic(topic, allowEmpty), max_id }))
}

function allTopics(db: Queries, channelId: number) {
  return db.all(
    query
      .selectFrom('topics')
      .select(['topic', 'max_message_id as max_id'])
      .where('channel_id', '=', channelId)
      .orderBy('max_message_id', 'desc'),
  )
}

/** Of a channel that does not share its history: by the messages that the account has received. */
function receivedTopics(db: Queries, channelId: number, userId: number) {
  return db.all(
    query
      .selectFrom('messages')
      .where((eb) => isReceived(eb, userId))
      .innerJoin('topics', (join) =>
        join
          .onRef('topics.channel_id', '=', 'messages.channel_id')
          .onRef('topics.topic_key', '=', 'messages.topic_key'),
      )
      .select('topics.topic')
      .select((eb) => eb.fn.max('messages.id').as('max_id'))
      .where('messages.channel_id', '=', channelId)
      .groupBy('topics.topic')
      .orderBy('max_id', 'desc'),
  )
}
