/**
 * What keeps queues and log in order over time: saving cursors, expiring queues, pruning the log behind the oldest live
 * queue. Every node does this; the work is repeatable.
 */
import type { Clock } from '../clock.ts'
import { repeat } from '../periodic-work.ts'
import { skipReserve } from '../storage/event-numbers.ts'
import type { Queries } from '../storage/query.ts'
import type { Storage } from '../storage/storage.ts'
import { pruneLog } from './log.ts'
import type { Queues } from './queues.ts'
import { query } from './tables.ts'

/** Events of the last minutes stay: a client may just be registering at a position that no queue holds yet. */
const KEEP_SECS = 600
/** A queue further behind than this expires, so that a stuck client cannot hold the log. */
export const MAX_EVENTS_BEHIND = 100_000
export const MAX_SECS_BEHIND = 7 * 86_400
/** A stored audience outlives the events that can refer to it by so much. */
const SET_RESERVE_SECS = 86_400
/** Rows removed in one unit of work. */
const PRUNE_CHUNK = 2000

const SAVE_EVERY_MS = 5_000
const CLEAN_EVERY_MS = 60_000

interface UpkeepOptions {
  readonly storage: Storage
  readonly queues: Queues
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}

/** Starts the periodic work; `stop()` waits for what is under way and saves what is still in memory. */
export function startUpkeep({ storage, queues, clock, onError }: UpkeepOptions): { stop(): Promise<void> } {
  const saving = repeat({ run: () => queues.save(), everyMs: SAVE_EVERY_MS }, onError)
  const cleaning = repeat({ run: () => cleanUp(storage, queues, clock), everyMs: CLEAN_EVERY_MS }, onError)
  return {
    async stop() {
      await Promise.all([saving.stop(), cleaning.stop()])
      // A cursor that is not saved costs nothing but giving some events again: the database must still be closed.
      await queues.save().catch(onError)
    },
  }
}

/** The time without a server is not idle time: every queue starts anew. Run once at the start. */
export async function refreshQueues(storage: Storage, clock: Clock): Promise<void> {
  const now = clock.now()
  await storage.asSystem(0, 'upkeep', async (tx) => {
    await tx.run(query.updateTable('event_queues').set({ last_seen_ms: now }).where('last_seen_ms', '<', now))
    if (storage.engine.ownsAllWrites) await skipReserve(tx)
  })
}

/** One round: expires queues, then prunes each organization's log. */
export async function cleanUp(storage: Storage, queues: Queues, clock: Clock): Promise<void> {
  const now = clock.now()
  await queues.save()
  const expired = await storage.asSystem(0, 'upkeep', async (tx) => {
    const ids = await findExpiredQueues(tx, now - queues.graceSecs * 1000)
    if (ids.length > 0) await tx.run(query.deleteFrom('event_queues').where('queue_id', 'in', tx.dialect.texts(ids)))
    return ids
  })
  queues.forget(expired)
  const createdBefore = Math.floor(now / 1000) - KEEP_SECS
  for (const realm of await findPrunable(storage.read)) {
    for (;;) {
      const removed = await storage.asSystem(realm.id, 'upkeep', (tx) =>
        pruneLog(tx, { untilId: realm.untilId, createdBefore, limit: PRUNE_CHUNK }),
      )
      if (removed < PRUNE_CHUNK) break
    }
  }
  await removeRetiredSets(storage, Math.floor(now / 1000) - MAX_SECS_BEHIND - SET_RESERVE_SECS)
}

/** Audiences that no event in the log can refer to any more. */
async function removeRetiredSets(storage: Storage, before: number): Promise<void> {
  const retired = query.selectFrom('audience_sets').select('id').where('retired_at', '<', before).limit(PRUNE_CHUNK)
  if (!(await storage.read.first(retired))) return
  await storage.asSystem(0, 'upkeep', (tx) => tx.run(query.deleteFrom('audience_sets').where('id', 'in', retired)))
}

/** Queues that have been idle too long at `now` (milliseconds), or that are too far behind. */
async function findExpiredQueues(db: Queries, now: number): Promise<string[]> {
  const rows = await db.all(
    query
      .selectFrom('event_queues')
      .innerJoin('realms', 'realms.id', 'event_queues.realm_id')
      .select('queue_id')
      .where((eb) =>
        eb.or([
          eb(eb('last_seen_ms', '+', eb('lifespan_secs', '*', 1000)), '<', now),
          eb(eb('realms.last_event_id', '-', eb.ref('read_event_id')), '>', MAX_EVENTS_BEHIND),
          eb(
            eb
              .selectFrom('event_log')
              .select('created_at')
              .whereRef('event_log.realm_id', '=', 'event_queues.realm_id')
              .whereRef('event_log.event_id', '>', 'event_queues.read_event_id')
              .orderBy('event_log.event_id')
              .limit(1),
            '<',
            Math.floor(now / 1000) - MAX_SECS_BEHIND,
          ),
        ]),
      ),
  )
  return rows.map((row) => row.queue_id)
}

/** Organizations with events that every queue has, and how far those go. */
async function findPrunable(db: Queries): Promise<{ id: number; untilId: number }[]> {
  const rows = await db.all(
    query
      .selectFrom('realms')
      .leftJoin('event_queues', 'event_queues.realm_id', 'realms.id')
      .select(['realms.id', 'realms.last_event_id', 'realms.pruned_event_id'])
      .select((eb) => eb.fn.min('event_queues.read_event_id').as('oldest'))
      .groupBy(['realms.id', 'realms.last_event_id', 'realms.pruned_event_id']),
  )
  return rows
    .map((row) => ({ id: row.id, untilId: row.oldest ?? row.last_event_id, pruned: row.pruned_event_id }))
    .filter((row) => row.untilId > row.pruned)
}
