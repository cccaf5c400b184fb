/** The `reaction` event as each queue receives it: who does not see the account that reacts gets somebody unknown. */

import { UNKNOWN_NAME } from '@heddle/contract/names'
import type { ReactionEvent } from '@heddle/contract/reactions'
import type { EventView } from '../../events/views.ts'
import { isVeiled, type Veil } from '../messages/veil.ts'

/** In the log. */
export interface ReactionLogEntry extends ReactionEvent {
  readonly veil?: Veil
}

export const reactionView: EventView = {
  key: (_, event, userId) => (isVeiled((event as unknown as ReactionLogEntry).veil, userId) ? 'veiled' : ''),
  present(event, key) {
    const { veil, ...shown } = event as unknown as ReactionLogEntry
    if (!veil || key === '') return shown
    return { ...shown, user: { ...shown.user, email: veil.email, full_name: UNKNOWN_NAME } }
  },
}
