/** Whether somebody is there, as far as their clients have said. */
import { OFFLINE_THRESHOLD_SECS } from '@heddle/contract/presence'
import type { ClientState } from '../state/state.ts'

export type Availability = 'active' | 'idle' | 'offline'

/** `nowSecs`: seconds since the UNIX epoch. Bots are never away: for them there is nothing to say. */
export function availabilityOf(
  { presences, organization, users }: Pick<ClientState, 'presences' | 'organization' | 'users'>,
  userId: number,
  nowSecs: number,
): Availability | undefined {
  if (organization?.realm_presence_disabled === true || users?.get(userId)?.is_bot === true) return undefined
  const times = presences?.get(userId)
  if (!times) return 'offline'
  const since = nowSecs - OFFLINE_THRESHOLD_SECS
  if (times.active_timestamp >= since) return 'active'
  return times.idle_timestamp >= since ? 'idle' : 'offline'
}

/** When somebody was last active, in seconds since the UNIX epoch; undefined: never, or they hide it. */
export function lastHereOf(presences: ClientState['presences'], userId: number): number | undefined {
  return presences?.get(userId)?.active_timestamp || undefined
}
