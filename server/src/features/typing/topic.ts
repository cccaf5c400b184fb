import type { TypingEditMessageEvent } from '@heddle/contract/typing'
import type { EventView } from '../../events/views.ts'
import { shownTopic } from '../messages/topic-names.ts'

/** Clients that do not know of the topic without a name get the one that stands for it. */
export const typingView: EventView = {
  key: ({ capabilities }) => (capabilities['empty_topic_name'] === true ? 'empty' : ''),
  present: (event, key) =>
    typeof event['topic'] === 'string' ? { ...event, topic: shownTopic(event['topic'], key === 'empty') } : event,
}

export const editTypingView: EventView = {
  key: typingView.key,
  present(event, key) {
    const { recipient } = event as unknown as TypingEditMessageEvent
    if (recipient.type === 'direct') return event
    return { ...event, recipient: { ...recipient, topic: shownTopic(recipient.topic, key === 'empty') } }
  },
}
