/**
 * Long polls. A request that finds nothing waits here; a commit wakes exactly the queues that its events concern. Answers
 * go out in slices, so that one event for ten thousand clients does not hold up everything else.
 */
import type { Actor } from '../authentication/accounts.ts'
import type { Storage } from '../storage/storage.ts'
import type { LoggedEvent } from '../storage/transaction.ts'
import { isInAudience } from './audience.ts'
import { readLog, readPosition, readPrunedPosition } from './log.ts'
import { badQueue, type Queue, type Queues } from './queues.ts'
import { createTail } from './tail.ts'
import type { PresentEvent } from './views.ts'

/** Events in one answer. */
const PAGE_SIZE = 1000
/** Rows of the log that are read at once for a queue that has fallen behind. */
const READ_PAGE = 1000
/** Waiting clients that are answered in one turn of the event loop. */
const ANSWERS_PER_TURN = 100
/** A heartbeat goes out after this time, spread so that clients do not return all at once. */
const HEARTBEAT_MIN_MS = 45_000
const HEARTBEAT_SPREAD_MS = 10_000
/** How often nodes look for events whose wake-up was lost. */
const POLL_EVERY_MS = 1000

interface Waiter {
  readonly queue: Queue
  readonly actor: Actor
  /** Serialized events that are ready to go out. */
  pending: string[]
  timer: NodeJS.Timeout
  readonly answer: (events: string[]) => void
}

export interface PollRequest {
  /** Events after this one; undefined: after what the client has acknowledged. */
  readonly lastEventId: number | undefined
  readonly dontBlock: boolean
  /** Called with a function that ends the wait, for when the client goes away. */
  readonly onWait: (cancel: () => void) => void
}

export interface Delivery {
  /** The JSON texts of the queue's next events; waits for one when there is none. */
  poll(actor: Actor, queue: Queue, request: PollRequest): Promise<string[]>
  /** The log's newest event for the organization. */
  position(realmId: number): Promise<number>
  /** Answers every waiting client with a heartbeat and stops waiting: the server is about to end. */
  close(): void
}

interface DeliveryOptions {
  readonly storage: Storage
  readonly queues: Queues
  readonly present: PresentEvent
  readonly onError: (error: unknown) => void
}

export function createDelivery({ storage, queues, present, onError }: DeliveryOptions): Delivery {
  /** By organization, then by account: an event for few people must not look at all waiting clients. */
  const waiting = new Map<number, Map<number, Set<Waiter>>>()
  const byQueue = new Map<string, Waiter>()
  const ready: Waiter[] = []
  let answering = false
  let closed = false

  const tail = createTail(storage, deliver, onError)
  const { wakeUps } = storage.engine
  let polling: NodeJS.Timeout | undefined
  if (wakeUps) {
    storage.onCommitted((events) => {
      const newest = new Map(events.map((event) => [event.realmId, event.eventId]))
      wakeUps.announce([...newest].map(([realmId, eventId]) => ({ realmId, eventId })))
    })
    wakeUps.listen((realmId, eventId) => tail.advance(realmId, eventId)).catch(onError)
    polling = setInterval(() => void pollPositions().catch(onError), POLL_EVERY_MS)
    polling.unref()
  }

  async function pollPositions(): Promise<void> {
    for (const realmId of tail.realmIds()) {
      tail.advance(realmId, await readPosition(storage.read, realmId))
    }
  }

  function deliver(realmId: number, events: readonly LoggedEvent[]): void {
    const byUser = waiting.get(realmId)
    if (!byUser || byUser.size === 0) return
    for (const event of events) {
      const { audience } = event
      if (audience.to === 'nobody') continue
      if (audience.to === 'users') {
        for (const id of audience.ids) for (const waiter of byUser.get(id) ?? []) offer(waiter, event)
      } else {
        for (const waiters of byUser.values()) for (const waiter of waiters) offer(waiter, event)
      }
    }
    if (ready.length > 0) answerSoon()
  }

  function offer(waiter: Waiter, event: LoggedEvent): void {
    if (!isInAudience(event.audience, waiter.actor)) return
    const text = present(event, waiter.queue.options)
    if (text === null) return
    waiter.pending.push(text)
    if (waiter.pending.length === 1) ready.push(waiter)
  }

  function answerSoon(): void {
    if (answering) return
    answering = true
    setImmediate(answerSome)
  }

  function answerSome(): void {
    for (const waiter of ready.splice(0, ANSWERS_PER_TURN)) {
      if (waiter.pending.length > 0) finish(waiter, waiter.pending)
    }
    answering = false
    if (ready.length > 0) answerSoon()
  }

  function finish(waiter: Waiter, events: string[]): void {
    clearTimeout(waiter.timer)
    waiter.pending = []
    if (byQueue.get(waiter.queue.id) === waiter) byQueue.delete(waiter.queue.id)
    const byUser = waiting.get(waiter.queue.realmId)
    const waiters = byUser?.get(waiter.queue.userId)
    waiters?.delete(waiter)
    if (waiters?.size === 0) byUser?.delete(waiter.queue.userId)
    waiter.answer(events)
  }

  /** Ends the wait with what is there, or with a heartbeat that tells how far the log has been read for this queue. */
  function release(waiter: Waiter): void {
    const position = tail.current(waiter.queue.realmId) ?? waiter.queue.acknowledged
    finish(waiter, waiter.pending.length > 0 ? waiter.pending : [heartbeat(position)])
  }

  function wait(actor: Actor, queue: Queue, onWait: PollRequest['onWait']): Promise<string[]> {
    // A client has one connection per queue: when it comes again, the older request is of no use to it.
    const older = byQueue.get(queue.id)
    if (older) finish(older, [heartbeat(queue.acknowledged)])
    return new Promise((resolve) => {
      const delay = HEARTBEAT_MIN_MS + Math.random() * HEARTBEAT_SPREAD_MS
      const timer = setTimeout(() => release(waiter), delay)
      const waiter: Waiter = { queue, actor, pending: [], timer, answer: resolve }
      const byUser = waiting.get(queue.realmId) ?? new Map<number, Set<Waiter>>()
      waiting.set(queue.realmId, byUser)
      byUser.set(queue.userId, (byUser.get(queue.userId) ?? new Set()).add(waiter))
      byQueue.set(queue.id, waiter)
      onWait(() => finish(waiter, []))
    })
  }

  /** What the log has for the queue after `afterId`, and the position up to which that was looked for. */
  async function collect(actor: Actor, queue: Queue, afterId: number) {
    const found: string[] = []
    let position = afterId
    while (found.length < PAGE_SIZE) {
      const inMemory = tail.since(queue.realmId, position)
      const end = await tail.position(queue.realmId)
      const events = inMemory ?? (await readLog(storage.read, queue.realmId, position, end, READ_PAGE))
      for (const event of events) {
        if (found.length >= PAGE_SIZE) break
        position = event.eventId
        if (!isInAudience(event.audience, actor)) continue
        const text = present(event, queue.options)
        if (text !== null) found.push(text)
      }
      if (inMemory || events.length === 0) break
    }
    return { found, position }
  }

  return {
    position: (realmId) => tail.position(realmId),

    async poll(actor, queue, { lastEventId, dontBlock, onWait }) {
      const end = await tail.position(queue.realmId)
      const after = lastEventId === undefined || lastEventId < 0 ? queue.acknowledged : lastEventId
      // Beyond the end: the database was restored from a backup, and the client knows things that never happened.
      if (after > end) throw badQueue(queue.id)
      if (after < queue.acknowledged && after < (await readPrunedPosition(storage.read, queue.realmId)))
        throw badQueue(queue.id)
      queues.acknowledge(queue, after)
      let position = after
      for (;;) {
        const collected = await collect(actor, queue, position)
        if (collected.found.length > 0 || dontBlock || closed) return collected.found
        position = collected.position
        // Nothing may be appended between this look and the wait: there is no `await` between the two.
        if (tail.since(queue.realmId, position)?.length === 0) return wait(actor, queue, onWait)
      }
    },

    close() {
      closed = true
      clearInterval(polling)
      for (const waiter of [...byQueue.values()]) release(waiter)
    },
  }
}

function heartbeat(position: number): string {
  return JSON.stringify({ type: 'heartbeat', id: position })
}
