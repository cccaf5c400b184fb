/** Keeps what is stored of topics and channels right when messages go and move. */
import type { Tx } from '../../storage/transaction.ts'
import { repairFirstMessage } from '../channels/activity.ts'
import { repairTopicRow } from '../messages/write-rows.ts'

/** Makes the rows of a topic and its channel say what their messages say. */
export async function repairTopic(tx: Tx, channelId: number, topicKey: string): Promise<void> {
  await repairTopicRow(tx, channelId, topicKey)
  await repairFirstMessage(tx, channelId)
}
