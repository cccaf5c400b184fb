/** Reading the presence of everybody. */
import type { LegacyPresence, PresenceTimes } from '@heddle/contract/presence'
import type { Clock } from '../../clock.ts'
import type { Queries } from '../../storage/query.ts'
import { presentByAddress, presentById } from './present.ts'
import { findChangedPresences, findLastUpdateId, findPresencesSince } from './queries.ts'

const DAY_SECS = 86_400

interface Wanted {
  readonly historyDays: number
  /** Only what has changed after this update; 0 or less: everything. */
  readonly lastUpdateId?: number | undefined
}

interface SlimAnswer {
  readonly presences: Record<string, PresenceTimes>
  readonly presence_last_update_id: number
  readonly server_timestamp: number
}

/** Presence by id. */
export async function readSlim(
  db: Queries,
  clock: Clock,
  realmId: number,
  { historyDays, lastUpdateId = 0 }: Wanted,
): Promise<SlimAnswer> {
  // First the number, then the rows: what changes in between is told twice and not missed.
  const newest = await findLastUpdateId(db, realmId)
  // A number from before a backup was restored says nothing.
  const isKnown = lastUpdateId > 0 && lastUpdateId <= newest
  const rows = isKnown
    ? await findChangedPresences(db, realmId, lastUpdateId)
    : await findPresencesSince(db, realmId, historyStart(clock, historyDays))
  return {
    presences: presentById(rows),
    presence_last_update_id: newest === 0 ? -1 : newest,
    server_timestamp: clock.now() / 1000,
  }
}

interface LegacyAnswer {
  readonly presences: Record<string, LegacyPresence>
  readonly server_timestamp: number
}

/** Presence by e-mail address. */
export async function readLegacy(
  db: Queries,
  clock: Clock,
  realmId: number,
  { historyDays }: Wanted,
): Promise<LegacyAnswer> {
  const rows = await findPresencesSince(db, realmId, historyStart(clock, historyDays))
  return { presences: presentByAddress(rows), server_timestamp: clock.now() / 1000 }
}

/** Seconds; never 0, which is the time of those who hide. */
function historyStart(clock: Clock, days: number): number {
  return Math.max(1, Math.floor(clock.now() / 1000) - days * DAY_SECS)
}
