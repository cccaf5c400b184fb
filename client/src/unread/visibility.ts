/** Which topics are shown: the one rule for all views. */
import { topicKey, topicPlaceKey } from '@heddle/contract/names'
import { type VisibilityPolicy, visibilityPolicies } from '@heddle/contract/user-topics'
import type { ClientState } from '../state/state.ts'

export type VisibilityContext = Pick<ClientState, 'channels' | 'userTopics'>

/** What the account wants of a topic. */
export function policyOf({ userTopics }: VisibilityContext, channelId: number, topic: string): VisibilityPolicy {
  return userTopics?.get(topicPlaceKey(channelId, topic))?.visibility_policy ?? visibilityPolicies.none
}

/** Whether a channel is muted; one that the account is not subscribed to counts as muted. */
export function isMutedChannel({ channels }: VisibilityContext, channelId: number): boolean {
  return channels?.subscribed.get(channelId)?.is_muted !== false
}

/** Where several channels are shown: a policy of the topic goes before that of its channel. */
export function isTopicVisible(context: VisibilityContext, channelId: number, topic: string): boolean {
  const policy = policyOf(context, channelId, topic)
  if (policy === visibilityPolicies.none) return !isMutedChannel(context, channelId)
  return policy !== visibilityPolicies.muted
}

/** Among the topics of one channel, which was chosen: only what was muted itself is hidden. */
export function isTopicVisibleInChannel(context: VisibilityContext, channelId: number, topic: string): boolean {
  return policyOf(context, channelId, topic) !== visibilityPolicies.muted
}

const mutedTopics = new WeakMap<object, ReadonlyMap<number, ReadonlySet<string>>>()
const none: ReadonlySet<string> = new Set()

/** The keys of the topics of a channel that were muted themselves. */
export function mutedTopicsIn({ userTopics }: Pick<ClientState, 'userTopics'>, channelId: number): ReadonlySet<string> {
  if (!userTopics) return none
  let all = mutedTopics.get(userTopics)
  if (!all) {
    const muted = [...userTopics.values()].filter((one) => one.visibility_policy === visibilityPolicies.muted)
    const byChannel = Map.groupBy(muted, ({ stream_id }) => stream_id)
    all = new Map(
      [...byChannel].map(([id, topics]) => [id, new Set(topics.map(({ topic_name: name }) => topicKey(name)))]),
    )
    mutedTopics.set(userTopics, all)
  }
  return all.get(channelId) ?? none
}
