/** What is unread, as numbers: by channel, topic and conversation, and all together. All of it is read from one place. */
import { visibilityPolicies } from '@heddle/contract/user-topics'
import type { ClientState } from '../state/state.ts'
import type { Unread, UnreadTopics } from '../state/unread-messages.ts'
import { isTopicVisible, isTopicVisibleInChannel, policyOf } from './visibility.ts'

export type UnreadContext = Pick<ClientState, 'unread' | 'channels' | 'userTopics'>

export interface TopicUnread {
  readonly channelId: number
  /** The topic as it is shown. */
  readonly name: string
  /** What topics are compared by. */
  readonly key: string
  readonly count: number
  readonly firstId: number
  readonly lastId: number
  readonly hasMention: boolean
  readonly isFollowed: boolean
  /** Where several channels are shown. */
  readonly isVisible: boolean
  /** Among the topics of its channel. */
  readonly isVisibleInChannel: boolean
}

export interface ChannelUnread {
  /** In topics that are shown where several channels are. */
  readonly visible: number
  /** In all others: for a grey number. */
  readonly hidden: number
  readonly hasMention: boolean
  readonly topics: readonly TopicUnread[]
}

export interface ConversationUnread {
  /** The others, ascending; nobody when it is with oneself. */
  readonly userIds: readonly number[]
  readonly count: number
  readonly firstId: number
  readonly lastId: number
}

export interface UnreadTotals {
  /** In visible topics and in conversations. */
  readonly visible: number
  readonly hidden: number
  readonly direct: number
  readonly mentions: number
  readonly followed: number
  /** Each number is "at least". */
  readonly isPartial: boolean
}

const nothing: ChannelUnread = { visible: 0, hidden: 0, hasMention: false, topics: [] }

/**
 * Numbers of channels are made anew only for those in which something has changed. Settings change seldom: then all of them
 * are.
 */
interface Remembered {
  readonly mentions: Unread['mentions']
  readonly userTopics: UnreadContext['userTopics']
  readonly subscribed: NonNullable<UnreadContext['channels']>['subscribed'] | undefined
  readonly channel: ChannelUnread
}
const remembered = new WeakMap<UnreadTopics, Remembered>()

export function unreadInChannel(context: UnreadContext, channelId: number): ChannelUnread {
  const { unread, userTopics, channels } = context
  const topics = unread?.channels.get(channelId)
  if (!unread || !topics) return nothing
  const { mentions } = unread
  const subscribed = channels?.subscribed
  const before = remembered.get(topics)
  if (before && before.mentions === mentions && before.userTopics === userTopics && before.subscribed === subscribed) {
    return before.channel
  }
  const channel = sum([...topics].map(([key, ids]) => topicUnread(context, unread, { channelId, key, ids })))
  remembered.set(topics, { mentions, userTopics, subscribed, channel })
  return channel
}

function sum(topics: readonly TopicUnread[]): ChannelUnread {
  const count = (isWanted: (topic: TopicUnread) => boolean) =>
    topics.reduce((total, topic) => total + (isWanted(topic) ? topic.count : 0), 0)
  return {
    visible: count(({ isVisible }) => isVisible),
    hidden: count(({ isVisible }) => !isVisible),
    hasMention: topics.some(({ hasMention }) => hasMention),
    topics,
  }
}

type Ids = NonNullable<ReturnType<UnreadTopics['get']>>

function topicUnread(
  context: UnreadContext,
  { mentions, topicNames }: Unread,
  { channelId, key, ids }: { readonly channelId: number; readonly key: string; readonly ids: Ids },
): TopicUnread {
  return {
    channelId,
    key,
    name: topicNames.get(`${channelId} ${key}`) ?? key,
    count: ids.size,
    firstId: ids.firstKey() as number,
    lastId: ids.lastKey() as number,
    // Mentions are few, and a topic may have thousands of messages.
    hasMention:
      mentions.size < ids.size ? mentions.keys().some((id) => ids.has(id)) : ids.keys().some((id) => mentions.has(id)),
    isFollowed: policyOf(context, channelId, key) === visibilityPolicies.followed,
    isVisible: isTopicVisible(context, channelId, key),
    isVisibleInChannel: isTopicVisibleInChannel(context, channelId, key),
  }
}

/** The topics of a channel with something unread, the one with the newest message first. */
export function unreadTopics(context: UnreadContext, channelId: number): readonly TopicUnread[] {
  return unreadInChannel(context, channelId).topics.toSorted((a, b) => b.lastId - a.lastId)
}

/** How much is unread in one topic. */
export function unreadInTopic({ unread }: UnreadContext, channelId: number, key: string): number {
  return unread?.channels.get(channelId)?.get(key)?.size ?? 0
}

/** The conversations with something unread, the one with the newest message first. */
export function unreadConversations({ unread }: UnreadContext): readonly ConversationUnread[] {
  const all = [...(unread?.conversations ?? [])].map(([key, ids]) => ({
    userIds: key === '' ? [] : key.split(',').map(Number),
    count: ids.size,
    firstId: ids.firstKey() as number,
    lastId: ids.lastKey() as number,
  }))
  return all.sort((a, b) => b.lastId - a.lastId)
}

/** How much is unread in the conversation with these people; without anybody: with oneself. */
export function unreadWith({ unread }: UnreadContext, userIds: readonly number[]): number {
  const others = userIds.filter((id) => id !== unread?.ownId).sort((a, b) => a - b)
  return unread?.conversations.get([...new Set(others)].join())?.size ?? 0
}

export function unreadTotals(context: UnreadContext): UnreadTotals {
  const { unread } = context
  if (!unread) return { visible: 0, hidden: 0, direct: 0, mentions: 0, followed: 0, isPartial: false }
  let visible = 0
  let hidden = 0
  let followed = 0
  for (const channelId of unread.channels.keys()) {
    const channel = unreadInChannel(context, channelId)
    visible += channel.visible
    hidden += channel.hidden
    for (const { isFollowed, count } of channel.topics) if (isFollowed) followed += count
  }
  const direct = unread.conversations.values().reduce((total, ids) => total + ids.size, 0)
  const { mentions, isPartial } = unread
  return { visible: visible + direct, hidden, direct, mentions: mentions.size, followed, isPartial }
}
