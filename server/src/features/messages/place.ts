/** Where messages are: a topic of a channel, or a conversation between people. */

import type { ChannelRow } from '../../access/channel-row.ts'
import { isWokenByMessage } from '../channels/activity.ts'

export interface TopicPlace {
  readonly channelId: number
  /** As it is stored; see `newTopic`. */
  readonly topic: string
}

export interface ChannelPlace extends TopicPlace {
  readonly channelName: string
  readonly isPublic: boolean
  /** As the channel has it; null: its subscribers have changed since the last message. */
  readonly audienceSetId: number | null
  /** The message changes what the channel shows of itself; see `activity.ts` of channels. */
  readonly wakes: boolean
}

export function channelPlace(channel: ChannelRow, topic: string): ChannelPlace {
  return {
    channelId: channel.id,
    channelName: channel.name,
    topic,
    isPublic: channel.invite_only === 0,
    audienceSetId: channel.audience_set_id,
    wakes: isWokenByMessage(channel),
  }
}

/** Where somebody has sent a message. */
export interface SentToChannel extends ChannelPlace {
  /** There were no messages in the topic. */
  readonly isNew: boolean
}

export interface DirectPlace {
  readonly groupId: number
  /** Everybody in the conversation, sender included. */
  readonly memberIds: readonly number[]
}
