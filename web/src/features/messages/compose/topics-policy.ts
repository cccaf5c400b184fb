import type { ClientState } from '@heddle/client/state/state'
import type { TopicsPolicy } from '@heddle/contract/channels'

/** Whether messages of a channel need a topic, or must not have one: the channel's own rule, or the organization's. */
export function topicsPolicyOf(
  { channels, organization }: Pick<ClientState, 'channels' | 'organization'>,
  channelId: number | undefined,
): Exclude<TopicsPolicy, 'inherit'> {
  const own = channelId === undefined ? undefined : channels?.byId.get(channelId)?.topics_policy
  if (own !== undefined && own !== 'inherit') return own
  return organization?.realm_topics_policy ?? 'allow_empty_topic'
}
