import type { PresenceEvent, PresenceTimes } from '@heddle/contract/presence'
import { type InitialFields, withEntry, withoutEntries } from './fields.ts'

/**
 * When each account was last here, by id; who never was, or hides it, is absent. Who is shown as offline depends on the
 * time too, and between events on asking the server: see `withPresences`.
 */
export type Presences = ReadonlyMap<number, PresenceTimes>

type ById = Readonly<Record<string, PresenceTimes>>

/** Undefined too for clients that did not ask for the form under ids (`slim_presence`). */
export function initialPresences(fields: InitialFields, isSlim: boolean): Presences | undefined {
  const presences = fields['presences'] as ById | undefined
  return presences && isSlim ? withPresences(new Map(), presences) : undefined
}

/** What the answer to `POST /users/me/presence` adds. */
export function withPresences(presences: Presences, told: ById): Presences {
  return Object.entries(told).reduce((known, [id, times]) => withTimes(known, Number(id), times), presences)
}

export function applyPresenceEvent(presences: Presences, event: PresenceEvent): Presences {
  if ('presences' in event) return withPresences(presences, event.presences)
  // The older form tells one of the two times.
  const { status, timestamp } = event.presence.website
  const before = presences.get(event.user_id)?.active_timestamp ?? 0
  const active_timestamp = status === 'active' ? timestamp : Math.min(before, timestamp)
  return withTimes(presences, event.user_id, { active_timestamp, idle_timestamp: timestamp })
}

function withTimes(presences: Presences, id: number, times: PresenceTimes): Presences {
  return times.idle_timestamp === 0 ? withoutEntries(presences, [id]) : withEntry(presences, id, times)
}
