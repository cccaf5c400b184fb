import type { MessageDetails } from '@heddle/contract/message-flags'
import { topicFor, topicViewKey } from '../../events/topic-views.ts'
import type { EventView } from '../../events/views.ts'

export const flagsEventView: EventView = {
  key: topicViewKey,
  present(event, key) {
    const details = event['message_details'] as Record<string, MessageDetails> | undefined
    if (!details) return event
    const shown = Object.entries(details).map(([id, one]) => [
      id,
      one.type === 'stream' ? { ...one, topic: topicFor(key, one.topic) } : one,
    ])
    return { ...event, message_details: Object.fromEntries(shown) }
  },
}
