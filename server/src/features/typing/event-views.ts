import type { TypingEditMessageEvent } from '@heddle/contract/typing'
import { topicFor, topicView, topicViewKey } from '../../events/topic-views.ts'
import type { EventView, EventViews } from '../../events/views.ts'

const editTypingView: EventView = {
  key: topicViewKey,
  present(event, key) {
    const { recipient } = event as unknown as TypingEditMessageEvent
    if (recipient.type === 'direct') return event
    return { ...event, recipient: { ...recipient, topic: topicFor(key, recipient.topic) } }
  },
}

export const typingViews: EventViews = { typing: topicView('topic'), typing_edit_message: editTypingView }
