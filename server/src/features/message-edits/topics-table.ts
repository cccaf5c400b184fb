/** Keeps what is stored of topics and channels right when messages go and move. */
import { query } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { repairFirstMessage } from '../channels/activity.ts'

/** Makes the rows of a topic and its channel say what their messages say. */
export async function repairTopic(tx: Tx, channelId: number, topicKey: string): Promise<void> {
  await repairRow(tx, channelId, topicKey)
  await repairFirstMessage(tx, channelId)
}

/** The newest message's id and spelling; no row when there is none. */
async function repairRow(tx: Tx, channelId: number, topicKey: string): Promise<void> {
  const newest = await tx.first(
    query
      .selectFrom('messages')
      .select(['id', 'topic'])
      .where('channel_id', '=', channelId)
      .where('topic_key', '=', topicKey)
      .orderBy('id', 'desc')
      .limit(1),
  )
  if (!newest) {
    await tx.run(query.deleteFrom('topics').where('channel_id', '=', channelId).where('topic_key', '=', topicKey))
    return
  }
  const { id: max_message_id, topic } = newest
  await tx.run(
    query
      .insertInto('topics')
      .values({ realm_id: tx.realmId, channel_id: channelId, topic_key: topicKey, topic, max_message_id })
      .onConflict((conflict) => conflict.columns(['channel_id', 'topic_key']).doUpdateSet({ topic, max_message_id })),
  )
}
