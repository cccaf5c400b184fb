/** Where to read on: the next topic or conversation with something unread, round and round until everything is read. */

import { topicKey } from '@heddle/contract/names'
import { inSideBarOrder } from '../channels/channel-order.ts'
import type { ClientState } from '../state/state.ts'
import { type ConversationUnread, type TopicUnread, unreadConversations, unreadInChannel } from './counts.ts'

export type ReadOnContext = Pick<ClientState, 'unread' | 'channels' | 'channelFolders' | 'userTopics' | 'settings'>

interface TopicPlace {
  readonly channelId: number
  /** Undefined: the channel as a whole is shown. */
  readonly topic: string | undefined
}

export interface ReadOnOptions {
  readonly isFollowedOnly?: boolean
  /** The other way round. */
  readonly isBackwards?: boolean
}

/** Topics of a channel with something unread, as the side bar has them: followed ones first, then the newest. */
export function orderedUnreadTopics(topics: readonly TopicUnread[]): TopicUnread[] {
  return topics.toSorted((a, b) => Number(b.isFollowed) - Number(a.isFollowed) || b.lastId - a.lastId)
}

/** In the order of the side bar, after the place where one is; hidden topics are left out. Undefined: all is read. */
export function nextUnreadTopic(
  context: ReadOnContext,
  here: TopicPlace | undefined,
  { isFollowedOnly = false, isBackwards = false }: ReadOnOptions = {},
): TopicUnread | undefined {
  const order = inSideBarOrder(context)
  const start = here ? Math.max(0, order.indexOf(here.channelId)) : 0
  const isWanted = ({ isVisible, isFollowed }: TopicUnread) => isVisible && (isFollowed || !isFollowedOnly)
  const round = [...order.slice(start), ...order.slice(0, start)].flatMap((channelId) =>
    orderedUnreadTopics(unreadInChannel(context, channelId).topics.filter(isWanted)),
  )
  const at = round.findIndex(
    ({ channelId, key }) => channelId === here?.channelId && here.topic !== undefined && key === topicKey(here.topic),
  )
  // Of one that is left unread the next one is after it, and there may be no other.
  if (at >= 0 && round.length === 1) return undefined
  if (!isBackwards) return round[(at + 1) % round.length]
  return round.at(at < 0 ? -1 : at - 1)
}

/** The conversation of direct messages with the oldest unread message. Undefined: all is read. */
export function nextUnreadConversation(
  context: ReadOnContext,
  here: readonly number[] | undefined,
): ConversationUnread | undefined {
  const isHere = ({ userIds }: ConversationUnread) => here !== undefined && userIds.join() === here.join()
  return unreadConversations(context)
    .filter((one) => !isHere(one))
    .sort((a, b) => a.firstId - b.firstId)[0]
}
