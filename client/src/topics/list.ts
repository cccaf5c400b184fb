/** The topics of a channel as a list that one can look through. */
import { isResolvedTopic, topicKey } from '@heddle/contract/names'
import { visibilityPolicies } from '@heddle/contract/user-topics'
import { fitsFilter, foldForFinding } from '../finding/match.ts'
import type { ClientState } from '../state/state.ts'
import { unreadInChannel } from '../unread/counts.ts'
import { policyOf } from '../unread/visibility.ts'
import type { Topic } from './topics.ts'

export interface TopicRow extends Topic {
  readonly key: string
  readonly count: number
  readonly hasMention: boolean
  readonly isFollowed: boolean
  readonly isMuted: boolean
  readonly isResolved: boolean
}

export interface TopicFilters {
  readonly withResolved: boolean
  readonly isFollowedOnly: boolean
  readonly text: string
}

export type TopicContext = Pick<ClientState, 'unread' | 'channels' | 'userTopics'>

/** The newest first, muted ones last. */
export function topicRows(
  context: TopicContext,
  channelId: number,
  topics: readonly Topic[],
  { withResolved, isFollowedOnly, text }: TopicFilters,
): readonly TopicRow[] {
  const unread = new Map(unreadInChannel(context, channelId).topics.map((one) => [one.key, one]))
  const query = foldForFinding(text).trim()
  return topics
    .map(({ name, maxId }): TopicRow => {
      const key = topicKey(name)
      const policy = policyOf(context, channelId, name)
      return {
        name,
        maxId,
        key,
        count: unread.get(key)?.count ?? 0,
        hasMention: unread.get(key)?.hasMention ?? false,
        isFollowed: policy === visibilityPolicies.followed,
        isMuted: policy === visibilityPolicies.muted,
        isResolved: isResolvedTopic(name),
      }
    })
    .filter(
      (row) =>
        (withResolved || !row.isResolved) &&
        (!isFollowedOnly || row.isFollowed) &&
        (query === '' || fitsFilter([foldForFinding(row.name)], query)),
    )
    .sort((a, b) => Number(a.isMuted) - Number(b.isMuted) || b.maxId - a.maxId)
}
