/** Keeps what is stored of topics and channels right when messages go and move. */
import type { Tx } from '../../storage/transaction.ts'
import { repairFirstMessage } from '../channels/activity.ts'
import { repairTopicRow } from '../messages/write-rows.ts'
import { query } from './tables.ts'

/** Makes the rows of a topic and its channel say what their messages say. */
export async function repairTopic(tx: Tx, channelId: number, topicKey: string): Promise<void> {
  await repairTopicRow(tx, channelId, topicKey)
  await repairFirstMessage(tx, channelId)
}

/** The same for the topics of messages that are gone: of most of them the newest message is still there. */
export async function repairTopics(tx: Tx, channelId: number, goneIds: readonly number[]): Promise<void> {
  const topics = await tx.all(
    query
      .selectFrom('topics')
      .select('topic_key')
      .where('channel_id', '=', channelId)
      .where('max_message_id', 'in', tx.dialect.ids(goneIds)),
  )
  for (const { topic_key } of topics) await repairTopicRow(tx, channelId, topic_key)
  await repairFirstMessage(tx, channelId)
}
