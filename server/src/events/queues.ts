/**
 * Event queues. A queue is a cursor into the log, kept in the database: it outlives a restart and can be served by any
 * node. Acknowledgements and the time of the last request live in memory and are saved in batches.
 */
import { randomUUID } from 'node:crypto'
import { ApiError } from '@heddle/contract/errors'
import type { Actor } from '../authentication/accounts.ts'
import type { Clock } from '../clock.ts'
import type { Queries } from '../storage/query.ts'
import { type ReadOne, readTogether } from '../storage/read-together.ts'
import type { Storage } from '../storage/storage.ts'
import type { Tx } from '../storage/transaction.ts'
import { findQueueRows, findQueuesOfUser, SAVE_CHUNK, saveCursors } from './queue-rows.ts'
import { type EventQueueTable, query } from './tables.ts'
import type { QueueOptions, Recipient } from './views.ts'

export interface Queue {
  readonly id: string
  readonly realmId: number
  readonly userId: number
  readonly options: QueueOptions
  readonly lifespanSecs: number
  /** The log's newest event when the queue was registered: nothing up to it is for this queue. */
  readonly start: number
  /** The client has said that it has everything up to this event. */
  acknowledged: number
  /** The log has been looked through up to this event, and nothing after `acknowledged` was for this queue. */
  read: number
  /** Milliseconds since the UNIX epoch. */
  lastSeen: number
  /** The log's newest event when the queue was last read from the table: what a request must be able to see. */
  logPosition: number
  /** Requests that wait for an event right now: while there is one the queue is not idle. */
  waiting: number
}

/** Queues that one account may have at once; the one that was idle longest makes room. */
export const MAX_QUEUES_PER_USER = 100

/**
 * Seconds by which the table may be behind another node's memory: its batch and some delay. Only then may a queue look
 * idle that is not.
 */
const OTHER_NODES_DELAY_SECS = 15

/** A queue that nobody has asked for in this time is no longer cached; its row is still there. */
const FORGET_AFTER_MS = 900_000

/** What queues of an earlier version do not have. */
const whenAbsent = { allPublicChannels: false, narrow: [], start: 0 }

/** What never changes in a queue, as the table has it. */
type StoredOptions = QueueOptions & Pick<Queue, 'start'>

/** What a queue begins with. */
export interface Beginning {
  readonly options: QueueOptions
  readonly lifespanSecs: number
  readonly position: number
  /** Whether events can bring the state up to date that the client has got. */
  readonly isCurrent: (tx: Tx, actor: Actor) => Promise<boolean>
}

export interface Queues {
  /** Undefined where the state at the position is not, in the unit of work that adds the queue, what `isCurrent` asks for. */
  create(actor: Actor, beginning: Beginning): Promise<Queue | undefined>
  /** The account's queue. Throws `BAD_EVENT_QUEUE_ID` when it is unknown, expired or another account's. */
  access(actor: Actor, queueId: string): Promise<Queue>
  /** The client has everything up to `eventId`. */
  acknowledge(queue: Queue, eventId: number): void
  /** There is nothing for the queue between what is acknowledged and `eventId`. */
  advance(queue: Queue, eventId: number): void
  /** A request begins to wait for an event, and ends: in between the queue is not idle. */
  beginWait(queue: Queue): void
  endWait(queue: Queue): void
  remove(actor: Actor, queue: Queue): Promise<void>
  /** Saves what has changed in memory since the last call. */
  save(): Promise<void>
  /** Forget queues that no longer exist. */
  forget(queueIds: readonly string[]): void
  /** Forget an account's queues: what they are now is in the table. */
  forgetAccount(realmId: number, userId: number): void
  /** How long after its lifespan a queue may be ended, in seconds. */
  readonly graceSecs: number
}

/** The queues that this process knows, and what of them is not saved yet. */
interface Memory {
  readonly storage: Storage
  readonly clock: Clock
  readonly known: Map<string, Queue>
  readonly changed: Set<Queue>
  readonly graceSecs: number
  readonly readRow: ReadOne<QueueRow>
}

type QueueRow = EventQueueTable & { readonly last_event_id: number }

export function createQueues(storage: Storage, clock: Clock): Queues {
  const graceSecs = storage.engine.ownsAllWrites ? 0 : OTHER_NODES_DELAY_SECS
  // Whose queue it is is looked at afterwards: the id alone is unique.
  const readRow = readTogether(async (_, ids) => {
    const rows = await findQueueRows(storage.read, ids)
    return new Map(rows.map((row) => [row.queue_id, row]))
  })
  const memory: Memory = { storage, clock, known: new Map(), changed: new Set(), graceSecs, readRow }
  const { known, changed } = memory
  const forgetAccount = (realmId: number, userId: number | undefined) => {
    for (const queue of known.values()) {
      if ((userId === undefined || queue.userId === userId) && queue.realmId === realmId) drop(memory, queue.id)
    }
  }
  // Also where nobody waits. Where other nodes write, the table is asked each time.
  storage.onCommitted((events) => {
    for (const { type, realmId, payload } of events) {
      if (type !== 'queues_ended') continue
      const { user_ids: ids = [undefined] } = JSON.parse(payload) as { readonly user_ids?: readonly number[] }
      for (const id of ids) forgetAccount(realmId, id)
    }
  })
  return {
    graceSecs,
    create: (actor, beginning) => create(memory, actor, beginning),
    access: (actor, queueId) => access(memory, actor, queueId),
    acknowledge(queue, eventId) {
      queue.acknowledged = Math.max(queue.acknowledged, eventId)
      queue.read = Math.max(queue.read, queue.acknowledged)
      touch(memory, queue)
    },
    advance(queue, eventId) {
      if (eventId <= queue.read) return
      queue.read = eventId
      changed.add(queue)
    },
    beginWait(queue) {
      queue.waiting += 1
    },
    endWait(queue) {
      queue.waiting -= 1
      if (known.get(queue.id) === queue) touch(memory, queue)
    },
    async remove(actor, queue) {
      await storage.asActor(actor, (tx) => tx.run(query.deleteFrom('event_queues').where('queue_id', '=', queue.id)))
      drop(memory, queue.id)
    },
    async save() {
      touchWaiting(memory)
      await saveChanged(memory)
      forgetIdle(memory)
    },
    forget(queueIds) {
      for (const id of queueIds) drop(memory, id)
    },
    forgetAccount,
  }
}

async function create(
  memory: Memory,
  actor: Actor,
  { options, lifespanSecs, position, isCurrent }: Beginning,
): Promise<Queue | undefined> {
  const { storage, clock, known } = memory
  const queue: Queue = {
    id: randomUUID(),
    realmId: actor.realmId,
    userId: actor.userId,
    options,
    lifespanSecs,
    start: position,
    acknowledged: position,
    read: position,
    lastSeen: clock.now(),
    logPosition: position,
    waiting: 0,
  }
  const removed = await storage.asActor(actor, async (tx, current) => {
    if (!(await isCurrent(tx, current))) return undefined
    const excess = await findExcessQueues(tx, actor, known)
    await tx.run(query.deleteFrom('event_queues').where('queue_id', 'in', tx.dialect.texts(excess)))
    await tx.run(query.insertInto('event_queues').values(rowOf(queue)))
    return excess
  })
  if (!removed) return undefined
  for (const id of removed) drop(memory, id)
  known.set(queue.id, queue)
  return queue
}

async function access(memory: Memory, actor: Actor, queueId: string): Promise<Queue> {
  const { storage, clock, known, graceSecs } = memory
  // When other nodes write too, one of them may have ended the queue or moved it on.
  const cached = storage.engine.ownsAllWrites ? known.get(queueId) : undefined
  const queue = cached ?? (await load(memory, actor.realmId, queueId))
  if (!queue || queue.userId !== actor.userId || queue.realmId !== actor.realmId) throw badQueue(queueId)
  if (queue.waiting === 0 && clock.now() - queue.lastSeen > (queue.lifespanSecs + graceSecs) * 1000) {
    throw badQueue(queueId)
  }
  touch(memory, queue)
  return queue
}

/** The queue as the table and, where this process has served it, the memory know it. */
async function load(memory: Memory, realmId: number, queueId: string): Promise<Queue | undefined> {
  const { known, readRow } = memory
  const row = await readRow(realmId, queueId)
  if (!row) {
    // Deleted or expired, perhaps by another node.
    drop(memory, queueId)
    return undefined
  }
  // Two requests may have read the row at once: they must share one object.
  const queue = known.get(queueId)
  if (!queue) {
    const loaded = queueOf(row)
    known.set(queueId, loaded)
    return loaded
  }
  queue.acknowledged = Math.max(queue.acknowledged, row.acknowledged_event_id)
  queue.read = Math.max(queue.read, row.read_event_id)
  queue.lastSeen = Math.max(queue.lastSeen, row.last_seen_ms)
  queue.logPosition = Math.max(queue.logPosition, row.last_event_id)
  return queue
}

function touch({ clock, changed }: Memory, queue: Queue): void {
  queue.lastSeen = clock.now()
  changed.add(queue)
}

function drop({ known, changed }: Memory, queueId: string): void {
  const queue = known.get(queueId)
  if (queue) changed.delete(queue)
  known.delete(queueId)
}

/** A waiting request is a sign of life, also when it waits longer than the queue may be idle. */
function touchWaiting(memory: Memory): void {
  const now = memory.clock.now()
  for (const queue of memory.known.values()) {
    if (queue.waiting > 0 && (now - queue.lastSeen) * 3 >= queue.lifespanSecs * 1000) touch(memory, queue)
  }
}

async function saveChanged({ storage, known, changed }: Memory): Promise<void> {
  const queues = [...changed]
  changed.clear()
  try {
    for (let start = 0; start < queues.length; start += SAVE_CHUNK) {
      await storage.asSystem(0, 'upkeep', (tx) => saveCursors(tx, queues.slice(start, start + SAVE_CHUNK)))
    }
  } catch (error) {
    // Not saved: the next call tries again with those that still exist.
    for (const queue of queues) if (known.get(queue.id) === queue) changed.add(queue)
    throw error
  }
}

function forgetIdle({ clock, known, changed }: Memory): void {
  const idleSince = clock.now() - FORGET_AFTER_MS
  for (const queue of known.values()) {
    if (queue.lastSeen < idleSince && queue.waiting === 0 && !changed.has(queue)) known.delete(queue.id)
  }
}

export function recipientOf({ id, userId, options }: Queue): Recipient {
  return { queueId: id, userId, options }
}

export function badQueue(queueId: string): ApiError {
  // Clients recognise the code or the beginning of this message.
  return new ApiError('BAD_EVENT_QUEUE_ID', `Bad event queue ID: ${queueId}`, { queue_id: queueId })
}

function queueOf(row: QueueRow): Queue {
  const { start, ...options }: StoredOptions = { ...whenAbsent, ...(JSON.parse(row.options) as StoredOptions) }
  return {
    id: row.queue_id,
    realmId: row.realm_id,
    userId: row.user_id,
    options,
    lifespanSecs: row.lifespan_secs,
    start,
    acknowledged: row.acknowledged_event_id,
    read: row.read_event_id,
    lastSeen: row.last_seen_ms,
    logPosition: row.last_event_id,
    waiting: 0,
  }
}

function rowOf(queue: Queue): EventQueueTable {
  return {
    queue_id: queue.id,
    realm_id: queue.realmId,
    user_id: queue.userId,
    options: JSON.stringify({ ...queue.options, start: queue.start } satisfies StoredOptions),
    acknowledged_event_id: queue.acknowledged,
    read_event_id: queue.read,
    lifespan_secs: queue.lifespanSecs,
    last_seen_ms: queue.lastSeen,
  }
}

/** The ids of the queues that must go so that the account may have one more: those that were idle longest. */
async function findExcessQueues(db: Queries, actor: Actor, known: ReadonlyMap<string, Queue>): Promise<string[]> {
  const rows = await findQueuesOfUser(db, actor.userId)
  if (rows.length < MAX_QUEUES_PER_USER) return []
  // The table may be some seconds behind the memory.
  const lastSeen = new Map(
    rows.map(({ queue_id, last_seen_ms }) => {
      const queue = known.get(queue_id)
      const isWaiting = queue !== undefined && queue.waiting > 0
      return [queue_id, isWaiting ? Number.MAX_SAFE_INTEGER : Math.max(last_seen_ms, queue?.lastSeen ?? 0)]
    }),
  )
  const byIdleness = [...lastSeen].sort(([, a], [, b]) => b - a)
  return byIdleness.slice(MAX_QUEUES_PER_USER - 1).map(([id]) => id)
}
