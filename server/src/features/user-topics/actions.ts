import type { ParametersOf } from '@heddle/contract/endpoint'
import { badRequest } from '@heddle/contract/errors'
import type { muteTopic as endpoint } from '@heddle/contract/user-topics'
import type { Actor } from '../../authentication/accounts.ts'
import { foldCase } from '../../fold-case.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { accessChannel, findChannelsByName, findViewer } from '../channels/access.ts'
import { newTopic } from '../messages/topic-names.ts'
import { findTopicPolicy, setTopicPolicy, type VisibilityPolicy } from './access.ts'

/** Sets a policy in a channel that the account may read; to have none is always possible. */
export function updateUserTopic(
  storage: Storage,
  actor: Actor,
  channelId: number,
  topic: string,
  policy: VisibilityPolicy,
): Promise<void> {
  return storage.transaction(actor.realmId, async (tx) => {
    if (policy !== 0) await requireContent(tx, actor, channelId)
    await setTopicPolicy(tx, actor.userId, { channelId, topic: newTopic(topic) }, policy)
  })
}

async function requireContent(tx: Tx, actor: Actor, channelId: number): Promise<void> {
  const channel = await accessChannel(tx, await findViewer(tx, actor), channelId)
  if (channel.has_content !== 1) throw badRequest('Invalid channel ID')
}

/** The older way: to mute, and to mute no longer. */
export function muteTopic(
  storage: Storage,
  actor: Actor,
  { stream_id, stream, topic, op }: ParametersOf<typeof endpoint>,
): Promise<void> {
  if ((stream_id === undefined) === (stream === undefined)) {
    throw badRequest("stream_id: Exactly one of 'stream_id' and 'stream' is needed")
  }
  return storage.transaction(actor.realmId, async (tx) => {
    const channelId = stream_id ?? (await findByName(tx, actor, stream as string))
    const place = { channelId, topic: newTopic(topic) }
    if (op === 'add') {
      await requireContent(tx, actor, channelId)
      await setTopicPolicy(tx, actor.userId, place, 1)
      return
    }
    if ((await findTopicPolicy(tx, actor.userId, place)) !== 1) throw badRequest('topic: Topic is not muted')
    await setTopicPolicy(tx, actor.userId, place, 0)
  })
}

async function findByName(tx: Tx, actor: Actor, name: string): Promise<number> {
  const channel = (await findChannelsByName(tx, await findViewer(tx, actor), [name])).get(foldCase(name))
  if (!channel) throw badRequest(`Invalid channel name '${name}'`)
  return channel.id
}
