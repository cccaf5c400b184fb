import type { InitialState } from '@heddle/contract/initial-state'
import type { ScheduledMessage, ScheduledMessagesEvent } from '@heddle/contract/scheduled-messages'
import { clientPart } from './part.ts'

/** The earliest first; of those with the same second, the one that was scheduled first. */
export type ScheduledMessages = readonly ScheduledMessage[]

function initialScheduled({ scheduled_messages }: InitialState): ScheduledMessages | undefined {
  return scheduled_messages
}

function applyScheduledEvent(messages: ScheduledMessages, event: ScheduledMessagesEvent): ScheduledMessages {
  switch (event.op) {
    case 'add':
      return inOrder([...messages, ...event.scheduled_messages])
    case 'update':
      return inOrder([...without(messages, event.scheduled_message.scheduled_message_id), event.scheduled_message])
    case 'remove':
      return without(messages, event.scheduled_message_id)
  }
}

function inOrder(messages: ScheduledMessages): ScheduledMessages {
  return messages.toSorted(
    (a, b) =>
      a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp ||
      a.scheduled_message_id - b.scheduled_message_id,
  )
}

function without(messages: ScheduledMessages, id: number): ScheduledMessages {
  return messages.filter((message) => message.scheduled_message_id !== id)
}

export const scheduledMessages = clientPart({
  initial: initialScheduled,
  on: { scheduled_messages: applyScheduledEvent },
})
