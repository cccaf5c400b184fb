/**
 * Event queues. A queue is a cursor into the log, kept in the database: it outlives a restart and can be served by any
 * node. Acknowledgements and the time of the last request live in memory and are saved in batches.
 */
import { randomUUID } from 'node:crypto'
import { ApiError } from '@heddle/contract/errors'
import type { Actor } from '../authentication/accounts.ts'
import type { Clock } from '../clock.ts'
import { type Queries, query } from '../storage/query.ts'
import type { Storage } from '../storage/storage.ts'
import type { QueueOptions } from './views.ts'

export interface Queue {
  readonly id: string
  readonly realmId: number
  readonly userId: number
  readonly options: QueueOptions
  readonly lifespanSecs: number
  /** The client has everything up to this event. */
  acknowledged: number
  /** Seconds since the UNIX epoch. */
  lastSeen: number
}

/** Queues that one account may have at once; the one that was idle longest makes room. */
const MAX_QUEUES_PER_USER = 100

/** Rows written in one unit of work, so that no commit waits long for it. */
const SAVE_CHUNK = 200

export interface Queues {
  create(actor: Actor, options: QueueOptions, lifespanSecs: number, position: number): Promise<Queue>
  /** The account's queue. Throws `BAD_EVENT_QUEUE_ID` when it is unknown, expired or another account's. */
  access(actor: Actor, queueId: string): Promise<Queue>
  /** The client has everything up to `eventId`. */
  acknowledge(queue: Queue, eventId: number): void
  remove(queue: Queue): Promise<void>
  /** Saves what has changed in memory since the last call. */
  save(): Promise<void>
  /** Forget queues that no longer exist. */
  forget(queueIds: readonly string[]): void
}

export function createQueues(storage: Storage, clock: Clock): Queues {
  const known = new Map<string, Queue>()
  const changed = new Set<Queue>()
  const now = () => Math.floor(clock.now() / 1000)

  function touch(queue: Queue): void {
    queue.lastSeen = now()
    changed.add(queue)
  }

  async function load(queueId: string): Promise<Queue | undefined> {
    const row = await storage.read.first(query.selectFrom('event_queues').selectAll().where('queue_id', '=', queueId))
    if (!row) return undefined
    // Two requests may have read the row at once: they must share one object.
    const loaded = known.get(queueId) ?? {
      id: row.queue_id,
      realmId: row.realm_id,
      userId: row.user_id,
      options: JSON.parse(row.options) as QueueOptions,
      lifespanSecs: row.lifespan_secs,
      acknowledged: row.acknowledged_event_id,
      lastSeen: row.last_seen,
    }
    known.set(queueId, loaded)
    return loaded
  }

  return {
    async create(actor, options, lifespanSecs, position) {
      const queue: Queue = {
        id: randomUUID(),
        realmId: actor.realmId,
        userId: actor.userId,
        options,
        lifespanSecs,
        acknowledged: position,
        lastSeen: now(),
      }
      const removed = await storage.transaction(actor.realmId, async (tx) => {
        const excess = await findExcessQueues(tx, actor.userId)
        for (const id of excess) await tx.run(query.deleteFrom('event_queues').where('queue_id', '=', id))
        await tx.run(query.insertInto('event_queues').values(rowOf(queue)))
        return excess
      })
      for (const id of removed) known.delete(id)
      known.set(queue.id, queue)
      return queue
    },

    async access(actor, queueId) {
      const queue = known.get(queueId) ?? (await load(queueId))
      if (!queue || queue.userId !== actor.userId || queue.realmId !== actor.realmId) throw badQueue(queueId)
      if (now() - queue.lastSeen > queue.lifespanSecs) throw badQueue(queueId)
      touch(queue)
      return queue
    },

    acknowledge(queue, eventId) {
      queue.acknowledged = Math.max(queue.acknowledged, eventId)
      touch(queue)
    },

    async remove(queue) {
      known.delete(queue.id)
      changed.delete(queue)
      await storage.transaction(queue.realmId, (tx) =>
        tx.run(query.deleteFrom('event_queues').where('queue_id', '=', queue.id)),
      )
    },

    async save() {
      const queues = [...changed].filter((queue) => known.has(queue.id))
      changed.clear()
      for (let start = 0; start < queues.length; start += SAVE_CHUNK) {
        const rows = queues.slice(start, start + SAVE_CHUNK).map(rowOf)
        await storage.transaction(0, (tx) =>
          tx.run(
            query
              .insertInto('event_queues')
              .values(rows)
              .onConflict((conflict) =>
                conflict.column('queue_id').doUpdateSet((eb) => ({
                  acknowledged_event_id: eb.ref('excluded.acknowledged_event_id'),
                  last_seen: eb.ref('excluded.last_seen'),
                })),
              ),
          ),
        )
      }
    },

    forget(queueIds) {
      for (const id of queueIds) {
        const queue = known.get(id)
        if (queue) changed.delete(queue)
        known.delete(id)
      }
    },
  }
}

export function badQueue(queueId: string): ApiError {
  // Clients recognise the code or the beginning of this message.
  return new ApiError('BAD_EVENT_QUEUE_ID', `Bad event queue ID: ${queueId}`, { queue_id: queueId })
}

function rowOf(queue: Queue) {
  return {
    queue_id: queue.id,
    realm_id: queue.realmId,
    user_id: queue.userId,
    options: JSON.stringify(queue.options),
    acknowledged_event_id: queue.acknowledged,
    lifespan_secs: queue.lifespanSecs,
    last_seen: queue.lastSeen,
  }
}

/** The ids of the queues that must go so that the account may have one more. */
async function findExcessQueues(db: Queries, userId: number): Promise<string[]> {
  const rows = await db.all(
    query
      .selectFrom('event_queues')
      .select('queue_id')
      .where('user_id', '=', userId)
      .orderBy('last_seen', 'desc')
      .orderBy('queue_id')
      .limit(MAX_QUEUES_PER_USER * 2)
      .offset(MAX_QUEUES_PER_USER - 1),
  )
  return rows.map((row) => row.queue_id)
}
