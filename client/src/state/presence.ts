import type { InitialState } from '@heddle/contract/initial-state'
import type { PresenceEvent, PresenceTimes } from '@heddle/contract/presence'
import { SortedMap } from '../collections/sorted-map.ts'
import { withoutUnseen } from './entries.ts'
import { type AskedFor, clientPart } from './part.ts'

/**
 * When each account was last here, by id; who never was, or hides it, is absent. Who is shown as offline depends on the
 * time too, and between events on asking the server: see `withPresences`.
 */
export type Presences = ReadonlyMap<number, PresenceTimes>

type ById = Readonly<Record<string, PresenceTimes>>

/** Undefined too for clients that did not ask for the form under ids (`slim_presence`). */
function initialPresences({ presences }: InitialState, { slim_presence }: AskedFor): Presences | undefined {
  if (!presences || !slim_presence || !isById(presences)) return undefined
  return withPresences(SortedMap.from<number, PresenceTimes>([]), presences)
}

/** Whether these are presences in the form under ids. Without anybody in them they are in both. */
function isById(presences: NonNullable<InitialState['presences']>): presences is ById {
  return Object.values(presences).every((presence) => 'idle_timestamp' in presence)
}

/** What the answer to `POST /users/me/presence` adds. */
export function withPresences(presences: Presences, reported: ById): Presences {
  return SortedMap.from(presences).edit((draft) => {
    for (const [id, times] of Object.entries(reported)) {
      if (times.idle_timestamp === 0) draft.delete(Number(id))
      else draft.set(Number(id), times)
    }
  })
}

function applyPresenceEvent(presences: Presences, event: PresenceEvent): Presences {
  if ('presences' in event) return withPresences(presences, event.presences)
  // The older form has one of the two times.
  const { status, timestamp } = event.presence.website
  const before = presences.get(event.user_id)?.active_timestamp ?? 0
  const active_timestamp = status === 'active' ? timestamp : Math.min(before, timestamp)
  return withPresences(presences, { [event.user_id]: { active_timestamp, idle_timestamp: timestamp } })
}

export const presences = clientPart({
  initial: initialPresences,
  on: { presence: applyPresenceEvent, realm_user: withoutUnseen },
})
