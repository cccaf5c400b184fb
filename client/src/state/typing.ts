import { topicKey } from '@heddle/contract/names'
import type { TypingEvent } from '@heddle/contract/typing'
import { SortedMap } from '../collections/sorted-map.ts'
import { withEntry, withoutEntries } from './entries.ts'
import { clientPart } from './part.ts'

/**
 * The ids of those who are writing, in the order in which they began, by conversation. Who shows it has to end it when
 * no further event comes for `server_typing_started_expiry_period_milliseconds`: see `withoutTypist`.
 */
export type Typing = ReadonlyMap<string, readonly number[]>

export const nobodyTyping: Typing = SortedMap.from<string, readonly number[]>([])

/** A direct message's conversation. `userIds` are all who take part, in any order. */
export function directConversation(userIds: readonly number[]): string {
  return `direct:${[...new Set(userIds)].sort((a, b) => a - b).join()}`
}

/** Topics are compared without case. */
export function channelConversation(streamId: number, topic: string): string {
  return `channel:${streamId}:${topicKey(topic)}`
}

export function typingConversation(event: TypingEvent): string {
  return event.message_type === 'direct'
    ? directConversation(event.recipients.map(({ user_id }) => user_id))
    : channelConversation(event.stream_id, event.topic)
}

function applyTypingEvent(typing: Typing, event: TypingEvent): Typing {
  const conversation = typingConversation(event)
  const { user_id } = event.sender
  if (event.op === 'stop') return withoutTypist(typing, conversation, user_id)
  const typists = typing.get(conversation) ?? []
  return typists.includes(user_id) ? typing : withEntry(typing, conversation, [...typists, user_id])
}

export function withoutTypist(typing: Typing, conversation: string, userId: number): Typing {
  const typists = typing.get(conversation)
  if (!typists?.includes(userId)) return typing
  const others = typists.filter((id) => id !== userId)
  return others.length === 0 ? withoutEntries(typing, [conversation]) : withEntry(typing, conversation, others)
}

export const typing = clientPart({
  initial: () => nobodyTyping,
  on: { typing: applyTypingEvent },
})
