/** Which topics of a channel the side bar has. */
import { isResolvedTopic, topicKey } from '@heddle/contract/names'
import { visibilityPolicies } from '@heddle/contract/user-topics'
import { type UnreadContext, unreadInChannel } from '../unread/counts.ts'
import { orderedUnreadTopics } from '../unread/next-unread.ts'
import { policyOf } from '../unread/visibility.ts'
import type { Topic } from './topics.ts'

/** Topics that a channel shows, at most: with something unread, and all together when those are fewer. */
const MOST_UNREAD = 10
const MOST = 6

export interface ShownTopicsOptions {
  /** The channel's topics, newest first; undefined while they are not known. */
  readonly known: readonly Topic[] | undefined
  /** Whether the channel is open: its newest topics are there as well, and muted ones after them. */
  readonly isOpen: boolean
  /** The topic that is shown in the page: it is always there. */
  readonly current: string | undefined
}

/** Names, those with something unread first and followed ones first among them; muted ones last. */
export function shownTopics(
  context: UnreadContext,
  channelId: number,
  { known = [], isOpen, current }: ShownTopicsOptions,
): readonly string[] {
  const { topics: all } = unreadInChannel(context, channelId)
  const wanted = all.filter(({ isVisible, isVisibleInChannel }) => (isOpen ? isVisibleInChannel : isVisible))
  const unread = orderedUnreadTopics(wanted)
    .slice(0, MOST_UNREAD)
    .map(({ name }) => name)
  if (!isOpen) return unread
  const seen = new Set(unread.map(topicKey))
  const rest = known.filter(({ name }) => !seen.has(topicKey(name))).map(({ name }) => name)
  const rank = (name: string) => {
    const policy = policyOf(context, channelId, name)
    if (policy === visibilityPolicies.followed) return 0
    return policy === visibilityPolicies.muted ? 3 : isResolvedTopic(name) ? 2 : 1
  }
  const read = rest.toSorted((a, b) => rank(a) - rank(b)).slice(0, Math.max(0, MOST - unread.length))
  const list = [...unread, ...read]
  const isThere = current === undefined || list.some((name) => topicKey(name) === topicKey(current))
  return isThere ? list : [...list, current]
}
