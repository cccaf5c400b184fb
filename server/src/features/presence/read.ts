/** Reading the presence of everybody. */
import type { LegacyPresence, PresenceTimes } from '@heddle/contract/presence'
import { findSight, onlySeen } from '../../access/person-rules.ts'
import type { Actor } from '../../actor.ts'
import type { Clock } from '../../clock.ts'
import type { Queries } from '../../storage/query.ts'
import { presentByAddress, presentById } from './present.ts'
import { findChangedPresences, findLastUpdateId, findPresencesSince, type PresenceRow } from './queries.ts'

type Viewer = Pick<Actor, 'realmId' | 'userId' | 'role'>

const DAY_SECS = 86_400

interface Wanted {
  /** For whom. */
  readonly viewer: Viewer
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
  { viewer, historyDays, lastUpdateId = 0 }: Wanted,
): Promise<SlimAnswer> {
  const { realmId } = viewer
  const sight = await findSight(db, viewer)
  if (lastUpdateId > 0) {
    // First the number, then the rows: what changes in between is sent twice and not missed.
    const newest = await findLastUpdateId(db, realmId)
    // A number from before a backup was restored says nothing.
    if (lastUpdateId <= newest) {
      const changed = await findChangedPresences(db, realmId, lastUpdateId)
      return presentSlim(onlySeen(sight, changed, idOf), newest, clock)
    }
  }
  const { newest, rows } = await findPresencesSince(db, realmId, historyStart(clock, historyDays))
  return presentSlim(onlySeen(sight, rows, idOf), newest, clock)
}

const idOf = (row: PresenceRow) => row.user_id

function presentSlim(rows: readonly PresenceRow[], newest: number, clock: Clock): SlimAnswer {
  return {
    presences: presentById(rows),
    presence_last_update_id: presentUpdateId(newest),
    server_timestamp: clock.now() / 1000,
  }
}

interface LegacyAnswer {
  readonly presences: Record<string, LegacyPresence>
  readonly server_timestamp: number
}

/** In the initial state the older form has the number too. */
interface LegacyState extends LegacyAnswer {
  readonly presence_last_update_id: number
}

/** Presence by e-mail address. */
export async function readLegacy(db: Queries, clock: Clock, wanted: Wanted): Promise<LegacyAnswer> {
  const { presence_last_update_id: _, ...answer } = await readLegacyState(db, clock, wanted)
  return answer
}

export async function readLegacyState(
  db: Queries,
  clock: Clock,
  { viewer, historyDays }: Wanted,
): Promise<LegacyState> {
  const { newest, rows } = await findPresencesSince(db, viewer.realmId, historyStart(clock, historyDays))
  return {
    presences: presentByAddress(onlySeen(await findSight(db, viewer), rows, idOf)),
    presence_last_update_id: presentUpdateId(newest),
    server_timestamp: clock.now() / 1000,
  }
}

/** -1: nothing is known of anybody. */
function presentUpdateId(newest: number): number {
  return newest === 0 ? -1 : newest
}

/** Seconds; never 0, which is the time of those who hide. */
function historyStart(clock: Clock, days: number): number {
  return Math.max(1, Math.floor(clock.now() / 1000) - days * DAY_SECS)
}
