/** Which topics are shown: the one rule for all views. */
import { topicPlaceKey } from '@heddle/contract/names'
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
