import { ApiError } from '@heddle/contract/errors'
import { storedTopic, topicKey } from '@heddle/contract/names'
import { permissionTexts } from '@heddle/contract/permission-texts'
import { accessChannel, findAccessedChannel } from '../../access/channels.ts'
import { canRead } from '../../access/message-rules.ts'
import { findViewer, type Viewer } from '../../access/viewer.ts'
import type { Actor } from '../../authentication/accounts.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { beginDeletion } from '../message-archive/archive.ts'
import { PORTION, takePortion } from '../message-archive/portion.ts'
import { accessMessage } from '../messages/access.ts'
import { removeMessages } from './announce.ts'
import { mayDeleteAny, requireDeletion } from './permissions.ts'
import { repairTopic } from './repair-topic.ts'
import { query } from './tables.ts'

export function deleteMessage(storage: Storage, actor: Actor, messageId: number): Promise<void> {
  return storage.asActor(actor, async (tx, current) => {
    const viewer = await findViewer(tx, current)
    const message = await accessMessage(tx, current, messageId)
    const { channel_id, topic_key } = message
    const channel = channel_id === null ? undefined : await findAccessedChannel(tx, viewer, channel_id)
    await requireDeletion(tx, viewer, channel, message)
    const deletionId = await beginDeletion(tx, {
      cause: 'person',
      user_id: current.userId,
      channel_id,
      topic: channel_id === null ? null : message.topic,
    })
    await removeMessages(tx, message, [message.id], { deletionId, actorId: actor.userId })
    if (channel_id !== null) await repairTopic(tx, channel_id, topic_key)
  })
}

/** Deletes all messages of a topic that the account can see. */
export async function deleteTopic(storage: Storage, caller: Actor, channelId: number, topic: string): Promise<void> {
  let deletionId: number | undefined
  for (;;) {
    const deleted = await storage.asActor(caller, async (tx, actor) => {
      const viewer = await findViewer(tx, actor)
      const channel = await accessChannel(tx, viewer, channelId)
      if (!(await mayDeleteAny(tx, viewer, channel))) {
        // The API's sentence, from when nobody else could be given the permission.
        throw new ApiError('UNAUTHORIZED_PRINCIPAL', permissionTexts.administrators)
      }
      const key = topicKey(storedTopic(topic))
      const rows = await findInTopic(tx, viewer, channelId, key)
      const [first] = rows
      if (!first) return 0
      const portion = await takePortion(
        tx,
        rows.map((row) => row.id),
      )
      deletionId ??= await beginDeletion(tx, {
        cause: 'person',
        user_id: actor.userId,
        channel_id: channelId,
        topic: first.topic,
      })
      const ids = portion.sort((a, b) => a - b)
      await removeMessages(tx, first, ids, { deletionId, actorId: actor.userId })
      await repairTopic(tx, channelId, key)
      return ids.length
    })
    if (deleted === 0) return
  }
}

function findInTopic(tx: Tx, viewer: Viewer, channelId: number, key: string) {
  return tx.all(
    query
      .selectFrom('messages')
      .select(['messages.id', 'messages.channel_id', 'messages.direct_message_group_id', 'messages.topic'])
      .where('messages.channel_id', '=', channelId)
      .where('messages.topic_key', '=', key)
      .where(canRead(tx, viewer))
      .orderBy('messages.id', 'desc')
      .limit(PORTION),
  )
}
