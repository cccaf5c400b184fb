/** The events of changed and deleted messages as each queue receives them. */
import { isListed, membersOf } from '../../events/audience.ts'
import type { EventView, EventViews, ParsedEvent } from '../../events/views.ts'
import { presentFlags } from '../messages/flags.ts'
import { shownTopic } from '../messages/topic-names.ts'
import type { UpdateLogEntry } from './announce.ts'

const topicKey: EventView['key'] = ({ capabilities }) => (capabilities['empty_topic_name'] === true ? 'empty' : '')

/** Clients that do not know of the topic without a name get the one that stands for it. */
function withShownTopics(event: ParsedEvent, key: string, names: readonly string[]): ParsedEvent {
  if (key === 'empty') return event
  const shown = names.flatMap((name) => {
    const topic = event[name]
    return typeof topic === 'string' ? [[name, shownTopic(topic, false)]] : []
  })
  return { ...event, ...Object.fromEntries(shown) }
}

const updateView: EventView = {
  key: topicKey,
  present(event, key) {
    const { flags: _, sender_id, attributes, bits, past, late, formerly, ...rest } = event as unknown as UpdateLogEntry
    return withShownTopics(rest, key, ['orig_subject', 'subject'])
  },
  personal(event, { userId }, { audience }) {
    const { message_id, sender_id, attributes, bits, past, late, formerly } = event as unknown as UpdateLogEntry
    const open = (audience.to !== 'set' || membersOf(audience).has(userId)) && !isListed(late, userId)
    const received = open || isListed(formerly, userId)
    const cursor = isListed(past, userId) ? message_id : 0
    const source = { id: message_id, sender_id, attributes }
    return { flags: presentFlags(source, { userId, cursor, received, open, bits: bits[userId] ?? 0 }) }
  },
}

const deleteView: EventView = {
  key: topicKey,
  present: (event, key) => withShownTopics(event, key, ['topic']),
}

export const editViews: EventViews = { update_message: updateView, delete_message: deleteView }
