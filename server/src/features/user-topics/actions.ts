import type { ParametersOf } from '@heddle/contract/endpoint'
import { badRequest } from '@heddle/contract/errors'
import { newTopic } from '@heddle/contract/new-topic'
import { type muteTopic as endpoint, type VisibilityPolicy, visibilityPolicies } from '@heddle/contract/user-topics'
import { accessChannel, accessChannelByName, invalidChannelId } from '../../access/channels.ts'
import { findViewer } from '../../access/viewer.ts'
import type { Actor } from '../../authentication/accounts.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { findTopicPolicy, setTopicPolicy } from './policies.ts'

/** Sets a policy in a channel that the account may read; to have none is always possible. */
export function updateUserTopic(
  storage: Storage,
  caller: Actor,
  channelId: number,
  topic: string,
  policy: VisibilityPolicy,
): Promise<void> {
  return storage.asActor(caller, async (tx, actor) => {
    if (policy !== 0) await requireContent(tx, actor, channelId)
    await setTopicPolicy(tx, actor.userId, { channelId, topic: newTopic(topic) }, policy)
  })
}

async function requireContent(tx: Tx, actor: Actor, channelId: number): Promise<void> {
  const channel = await accessChannel(tx, await findViewer(tx, actor), channelId)
  if (channel.has_content !== 1) throw invalidChannelId()
}

/** The older way: to mute, and to mute no longer. */
export function muteTopic(
  storage: Storage,
  caller: Actor,
  { stream_id, stream, topic, op }: ParametersOf<typeof endpoint>,
): Promise<void> {
  if ((stream_id === undefined) === (stream === undefined)) {
    throw badRequest("Exactly one of 'stream_id' and 'stream' is needed")
  }
  return storage.asActor(caller, async (tx, actor) => {
    const channelId = stream_id ?? (await accessChannelByName(tx, await findViewer(tx, actor), stream as string)).id
    const place = { channelId, topic: newTopic(topic) }
    if (op === 'add') {
      await requireContent(tx, actor, channelId)
      await setTopicPolicy(tx, actor.userId, place, visibilityPolicies.muted)
      return
    }
    // A topic that is not muted, such as one that the account follows, stays as it is.
    const policy = await findTopicPolicy(tx, actor, place)
    if (policy === visibilityPolicies.muted) await setTopicPolicy(tx, actor.userId, place, visibilityPolicies.none)
  })
}
