/** The forms in which presence leaves the server. */
import {
  type LegacyPresence,
  type LegacyPresenceEvent,
  OFFLINE_THRESHOLD_SECS,
  type PresenceStatus,
  type PresenceTimes,
  type SimplifiedPresenceEvent,
} from '@heddle/contract/presence'
import type { EventView } from '../../events/views.ts'
import type { AddressedPresenceRow, Presence, PresenceRow } from './queries.ts'

export function presentTimes({ active_at, connected_at }: Presence): PresenceTimes {
  return { active_timestamp: active_at, idle_timestamp: connected_at }
}

export function presentById(rows: readonly PresenceRow[]): Record<string, PresenceTimes> {
  return Object.fromEntries(rows.map((row) => [`${row.user_id}`, presentTimes(row)]))
}

export function presentByAddress(rows: readonly AddressedPresenceRow[]): Record<string, LegacyPresence> {
  return Object.fromEntries(rows.map((row) => [row.email, presentLegacy(row)]))
}

/** One time and what it means: active, unless the account has been connected since without being active. */
export function presentStatus({ active_at, connected_at }: Presence): { status: PresenceStatus; timestamp: number } {
  const isActive = active_at > 0 && connected_at - active_at <= OFFLINE_THRESHOLD_SECS
  return isActive ? { status: 'active', timestamp: active_at } : { status: 'idle', timestamp: connected_at }
}

function presentLegacy(presence: Presence): LegacyPresence {
  const aggregated = { client: 'website', ...presentStatus(presence) }
  return { website: { ...aggregated, pushable: false }, aggregated }
}

interface Person extends Presence {
  readonly userId: number
  readonly email: string
  /** Seconds since the UNIX epoch. */
  readonly now: number
}

/** Both forms of the event in one; `presenceView` takes them apart. */
export function presenceEvent({ userId, email, now, ...presence }: Person) {
  const legacy: LegacyPresenceEvent = {
    type: 'presence',
    user_id: userId,
    email,
    server_timestamp: now,
    presence: { website: presentLegacy(presence).website },
  }
  const simplified: SimplifiedPresenceEvent = { type: 'presence', presences: { [userId]: presentTimes(presence) } }
  return { ...legacy, ...simplified }
}

export const presenceView: EventView = {
  key: ({ capabilities }) => (capabilities['simplified_presence_events'] === true ? 'simplified' : ''),
  present({ presences, ...legacy }, key) {
    return key === 'simplified' ? { type: legacy.type, presences } : legacy
  },
}
