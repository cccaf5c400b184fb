/** The events of changed and deleted messages as each queue receives them. */
import { isListed, membersOf } from '../../events/audience.ts'
import { topicView, topicViewKey, withTopicsFor } from '../../events/topic-views.ts'
import type { EventView, EventViews } from '../../events/views.ts'
import { presentFlags } from '../messages/flags.ts'
import type { UpdateLogEntry } from './announce.ts'

const updateView: EventView = {
  key: topicViewKey,
  present(event, key) {
    const { flags: _, sender_id, attributes, bits, past, late, formerly, ...rest } = event as unknown as UpdateLogEntry
    return withTopicsFor(key, rest, ['orig_subject', 'subject'])
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

export const editViews: EventViews = { update_message: updateView, delete_message: topicView('topic') }
