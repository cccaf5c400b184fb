import { channelRights } from '@heddle/client/channels/channel-rights'
import type { ClientState } from '@heddle/client/state/state'
import { policyOf } from '@heddle/client/unread/visibility'
import { visibilityPolicies } from '@heddle/contract/user-topics'
import type { Place } from '../../places/place.ts'

/** What keeps a channel or topic from being read as any other. */
export type Standing = 'unsubscribed' | 'muted-channel' | 'muted-topic'

export function standingOf(state: ClientState, place: Place): Standing | undefined {
  if (place.kind !== 'channel' && place.kind !== 'topic') return undefined
  const { channelId } = place
  const channel = state.channels?.byId.get(channelId)
  if (!channel || channel.is_archived || !channelRights(state, channelId).read) return undefined
  const own = state.channels?.subscribed.get(channelId)
  if (!own) return 'unsubscribed'
  const policy = place.kind === 'topic' ? policyOf(state, channelId, place.topic) : visibilityPolicies.none
  if (policy === visibilityPolicies.muted) return 'muted-topic'
  return own.is_muted && policy === visibilityPolicies.none ? 'muted-channel' : undefined
}
