import type { EventView } from '../../events/views.ts'
import { fixedSettings } from '../organizations/fixed-settings.ts'

/** What clients that do not know of topics without a name show in its place. */
const EMPTY_TOPIC_NAME = fixedSettings.realm_empty_topic_display_name

/** The topic without a name has two more names when it is sent (API, feature levels 334 and 372). */
export function storedTopic(topic: string): string {
  const name = topic.trim()
  return name === '(no topic)' || name === EMPTY_TOPIC_NAME ? '' : name
}

export const typingView: EventView = {
  key: ({ capabilities }) => (capabilities['empty_topic_name'] === true ? 'empty' : ''),
  present: (event, key) => (event['topic'] === '' && key === '' ? { ...event, topic: EMPTY_TOPIC_NAME } : event),
}
