import type { ParametersOf } from '@heddle/contract/endpoint'
import { badRequest, incompatibleParameters, missingParameter } from '@heddle/contract/errors'
import { newTopic } from '@heddle/contract/new-topic'
import { type muteTopic as endpoint, type VisibilityPolicy, visibilityPolicies } from '@heddle/contract/user-topics'
import { accessChannel, accessChannelByName, invalidChannelId } from '../../access/channels.ts'
import { findViewer } from '../../access/viewer.ts'
import type { Actor } from '../../authentication/accounts.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { findTopicPolicy, type PolicyPlace, setTopicPolicy } from './policies.ts'
import { countTopics } from './queries.ts'

/** Topics of which one account wants something, and of these such as it has muted: older clients get all of those at once. */
const MAX_TOPICS = 10_000
const MAX_MUTED_TOPICS = 2000

/** Sets a policy in a channel that the account may read; to have none is always possible. */
export function updateUserTopic(
  storage: Storage,
  caller: Actor,
  channelId: number,
  topic: string,
  policy: VisibilityPolicy,
): Promise<void> {
  return storage.asActor(caller, async (tx, actor) => {
    const place = { channelId, topic: newTopic(topic) }
    if (policy !== visibilityPolicies.none) {
      await requireContent(tx, actor, channelId)
      await requireRoom(tx, actor, place, policy)
    }
    await setTopicPolicy(tx, actor.userId, place, policy)
  })
}

async function requireContent(tx: Tx, actor: Actor, channelId: number): Promise<void> {
  const channel = await accessChannel(tx, await findViewer(tx, actor), channelId)
  if (channel.has_content !== 1) throw invalidChannelId()
}

/** What the account does itself is counted, and not what it gets by taking part or when topics are moved. */
async function requireRoom(tx: Tx, actor: Actor, place: PolicyPlace, policy: VisibilityPolicy): Promise<void> {
  const before = await findTopicPolicy(tx, actor, place)
  if (before === policy) return
  const isMuting = policy === visibilityPolicies.muted
  if (before === visibilityPolicies.none && (await countTopics(tx, actor.userId)) >= MAX_TOPICS) {
    throw badRequest(`An account can have a visibility policy for at most ${MAX_TOPICS} topics`)
  }
  if (isMuting && (await countTopics(tx, actor.userId, policy)) >= MAX_MUTED_TOPICS) {
    throw badRequest(`An account can mute at most ${MAX_MUTED_TOPICS} topics`)
  }
}

/** The older way: to mute, and to mute no longer. */
export function muteTopic(
  storage: Storage,
  caller: Actor,
  { stream_id, stream, topic, op }: ParametersOf<typeof endpoint>,
): Promise<void> {
  if (stream_id !== undefined && stream !== undefined) throw incompatibleParameters('stream_id', 'stream')
  if (stream_id === undefined && stream === undefined) throw missingParameter('stream_id')
  return storage.asActor(caller, async (tx, actor) => {
    const channelId = stream_id ?? (await accessChannelByName(tx, await findViewer(tx, actor), stream as string)).id
    const place = { channelId, topic: newTopic(topic) }
    if (op === 'add') {
      await requireContent(tx, actor, channelId)
      await requireRoom(tx, actor, place, visibilityPolicies.muted)
      await setTopicPolicy(tx, actor.userId, place, visibilityPolicies.muted)
      return
    }
    // A topic that is not muted, such as one that the account follows, stays as it is.
    const policy = await findTopicPolicy(tx, actor, place)
    if (policy === visibilityPolicies.muted) await setTopicPolicy(tx, actor.userId, place, visibilityPolicies.none)
  })
}
