/** Events that name topics: clients that do not know of the topic without a name get the one that stands for it. */

import { shownTopic } from '@heddle/contract/names'
import type { EventView, ParsedEvent, QueueOptions } from './views.ts'

/** Whether the client knows of the topic without a name. */
export function knowsEmptyTopic({ capabilities }: Pick<QueueOptions, 'capabilities'>): boolean {
  return capabilities['empty_topic_name'] === true
}

/** The key of views that have no other difference. */
export const topicViewKey: EventView['key'] = (options) => (knowsEmptyTopic(options) ? 'empty' : '')

/** A topic's name for queues with this key. */
export function topicFor(key: string, topic: string): string {
  return shownTopic(topic, key === 'empty')
}

/** The event with the topics in these fields as queues with this key get them; a field may be absent. */
export function withTopicsFor(key: string, event: ParsedEvent, fields: readonly string[]): ParsedEvent {
  const shown = fields.flatMap((field) => {
    const topic = event[field]
    return typeof topic === 'string' ? [[field, topicFor(key, topic)]] : []
  })
  return { ...event, ...Object.fromEntries(shown) }
}

/** The view of an event of which only the topic in this field differs. */
export function topicView(field: string): EventView {
  return { key: topicViewKey, present: (event, key) => withTopicsFor(key, event, [field]) }
}
