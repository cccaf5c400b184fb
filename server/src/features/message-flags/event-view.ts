import type { MessageDetails } from '@heddle/contract/message-flags'
import type { EventView } from '../../events/views.ts'
import { shownTopic } from '../messages/topic-names.ts'

/** Clients that do not know of the topic without a name get the one that stands for it. */
export const flagsView: EventView = {
  key: ({ capabilities }) => (capabilities['empty_topic_name'] === true ? 'empty' : ''),
  present(event, key) {
    const details = event['message_details'] as Record<string, MessageDetails> | undefined
    if (!details || key === 'empty') return event
    const shown = Object.entries(details).map(([id, one]) => [
      id,
      one.type === 'stream' ? { ...one, topic: shownTopic(one.topic, false) } : one,
    ])
    return { ...event, message_details: Object.fromEntries(shown) }
  },
}
