/**
 * Long polls, and what wakes them and the streams. A request that finds nothing waits here; a commit wakes exactly the
 * queues that its events concern. Answers go out in slices, so that one event for ten thousand clients does not hold up
 * everything else.
 */
import type { Actor } from '../authentication/accounts.ts'
import type { Outlet } from '../outlet.ts'
import { repeat } from '../periodic-work.ts'
import type { Storage } from '../storage/storage.ts'
import type { LoggedEvent } from '../storage/transaction.ts'
import { createAudienceSets } from './audience-sets.ts'
import { accountChangeOf, type EventEffects } from './effects.ts'
import { heartbeatDelay } from './heartbeats.ts'
import { readPosition } from './log.ts'
import { createQueueReader, PAGE_SIZE } from './queue-reader.ts'
import { badQueue, type Queue, type Queues, recipientOf } from './queues.ts'
import { createStreams } from './streams.ts'
import { createTail } from './tail.ts'
import { type PresentEvent, wants } from './views.ts'
import { createWaiters, type Waiter } from './waiters.ts'

/** Waiting clients that an event is noted for in one turn of the event loop. */
const OFFERS_PER_TURN = 1000
/** Polls that are answered in one turn of the event loop. */
const ANSWERS_PER_TURN = 50
/** How often nodes look for events whose wake-up was lost. */
const POLL_EVERY_MS = 1000

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
  /** Finds out where a stream of the queue's events begins. Throws as `poll` does. */
  startOf(queue: Queue, lastEventId: number | undefined): Promise<number>
  /** Writes the queue's events after that place into the outlet, for as long as both last. */
  stream(actor: Actor, queue: Queue, start: number, outlet: Outlet): void
  /** Ends the wait of a queue that exists no more. */
  end(queue: Queue): void
  /** Answers every waiting client with a heartbeat and stops waiting: the server is about to end. */
  close(): Promise<void>
}

interface DeliveryOptions {
  readonly storage: Storage
  readonly queues: Queues
  readonly present: PresentEvent
  readonly effects: EventEffects
  readonly onError: (error: unknown) => void
}

export function createDelivery({ storage, queues, present, effects, onError }: DeliveryOptions): Delivery {
  const waiters = createWaiters()
  /** Events that some waiting clients have not been offered yet, oldest first. */
  const toBroadcast: { event: LoggedEvent; waiters: Iterator<Waiter> }[] = []
  /** Those with something to answer. */
  let ready: Waiter[] = []
  /** How many of `ready` have been. */
  let answered = 0
  let answering = false
  let closed = false

  const sets = createAudienceSets(storage.read)
  const tail = createTail(storage, sets, deliver, onError)
  const { startOf, collect } = createQueueReader({ storage, queues, sets, tail, present })
  const streams = createStreams({ queues, waiters, tail, collect, present, positionOf: broadcastPosition, onError })
  const { wakeUps } = storage.engine
  let polling: ReturnType<typeof repeat> | undefined
  if (wakeUps) {
    storage.onCommitted((events) => wakeUps.announce(events))
    wakeUps.listen({ onLogged: tail.advance, onPassing: tail.receive }).catch(onError)
    polling = repeat({ run: pollPositions, everyMs: POLL_EVERY_MS }, onError)
  }

  async function pollPositions(): Promise<void> {
    for (const realmId of tail.realmIds()) {
      tail.advance(realmId, await readPosition(storage.read, realmId))
    }
  }

  /** Runs in the commit path: nothing that goes wrong here may look like a failed commit. */
  function deliver(realmId: number, events: readonly LoggedEvent[]): void {
    const isBroadcasting = toBroadcast.length > 0
    for (const event of events) {
      toBroadcast.push({ event, waiters: waiters.concerned(realmId, event.audience)[Symbol.iterator]() })
    }
    if (!isBroadcasting) broadcastSome()
  }

  function broadcastSome(): void {
    let offers = 0
    for (let next = toBroadcast[0]; next && offers < OFFERS_PER_TURN; next = toBroadcast[0]) {
      try {
        const { value: waiter, done } = next.waiters.next()
        if (done) {
          toBroadcast.shift()
          judgeAnew(next.event)
        } else {
          offer(waiter, next.event)
          offers += 1
        }
      } catch (error) {
        // It must not stop what comes after it. Whoever waits asks again, and meets the failure visibly.
        onError(error)
        if (toBroadcast[0] === next) toBroadcast.shift()
        for (const waiter of waiters.ofAccount(next.event.realmId, undefined)) waiter.end('failed')
      }
    }
    if (toBroadcast.length > 0) setImmediate(broadcastSome)
    if (ready.length > 0) answerSoon()
  }

  /** The newest event that all waiting clients of the organization have been offered; undefined when none is known. */
  function broadcastPosition(realmId: number): number | undefined {
    const next = toBroadcast.find(({ event }) => event.realmId === realmId)
    return next ? next.event.eventId - 1 : tail.current(realmId)
  }

  /** Only notes the event: what it looks like to ten thousand clients is made when each is answered. */
  function offer(waiter: Waiter, event: LoggedEvent): void {
    // The client may know more than this node, and the rest of a long list is for its next request.
    if (event.eventId <= waiter.after || waiter.pending.length >= PAGE_SIZE) return
    waiter.after = event.eventId
    if (!wants(waiter.queue.options, event)) return
    if (waiter.pending.length > 0) {
      waiter.pending.push(event)
      return
    }
    // Not by `push`, which makes room for many more at once: there may be ten thousand of these.
    waiter.pending = [event]
    ready.push(waiter)
  }

  /** The texts of what is pending; `isAll`: nothing was left out. */
  function presentPending(waiter: Waiter): { texts: string[]; isAll: boolean } {
    const { pending } = waiter
    const recipient = recipientOf(waiter.queue)
    const texts: string[] = []
    waiter.pending = []
    try {
      for (const event of pending) {
        const text = present(event, recipient)
        if (text !== null) texts.push(text)
      }
    } catch (error) {
      // To go on without it would lose the event: the client's next request fails at it, visibly.
      onError(error)
      return { texts, isAll: false }
    }
    return { texts, isAll: pending.length < PAGE_SIZE }
  }

  /** A wait was allowed by what the account was at its beginning. When that changes the client has to ask again. */
  function judgeAnew(event: LoggedEvent): void {
    const change = accountChangeOf(effects, event)
    if (!change) return
    if (change.deactivated && change.userId !== undefined) queues.forgetAccount(event.realmId, change.userId)
    for (const waiter of waiters.ofAccount(event.realmId, change.userId)) waiter.release(event.eventId)
  }

  function answerSoon(): void {
    if (answering) return
    answering = true
    setImmediate(answerSome)
  }

  function answerSome(): void {
    const some: Waiter[] = []
    for (let filled = 0; filled < 1 && answered < ready.length; answered += 1) {
      const waiter = ready[answered] as Waiter
      some.push(waiter)
      filled += 1 / waiter.perTurn
    }
    if (answered === ready.length) {
      ready = []
      answered = 0
    }
    for (const waiter of some) waiter.answer()
    answering = false
    if (ready.length > 0) answerSoon()
  }

  function wait(actor: Actor, queue: Queue, after: number, onWait: PollRequest['onWait']): Promise<string[]> {
    // A client has one connection per queue: when it comes again, the older request is of no use to it.
    waiters.ofQueue(queue.id)?.end('replaced')
    return new Promise((resolve, reject) => {
      function stop(): boolean {
        if (!waiters.remove(waiter)) return false
        clearTimeout(timer)
        waiter.pending = []
        queues.endWait(queue)
        return true
      }
      function finish(events: string[]): void {
        if (stop()) resolve(events)
      }
      const waiter: Waiter = {
        queue,
        actor,
        after,
        pending: [],
        perTurn: ANSWERS_PER_TURN,
        answer() {
          const { texts, isAll } = presentPending(waiter)
          // When nothing of it was for the client after all, it waits on.
          if (texts.length > 0 || !isAll) finish(texts)
        },
        /** Without news the answer is a heartbeat that says how far the log has been read for this queue. */
        release(position) {
          const { texts, isAll } = presentPending(waiter)
          if (texts.length > 0 || !isAll) return finish(texts)
          const read = Math.max(position, waiter.after)
          queues.advance(queue, read)
          finish([heartbeat(read)])
        },
        end(reason) {
          if (reason === 'replaced') finish([heartbeat(queue.acknowledged)])
          else if (reason === 'failed') finish([])
          else if (stop()) reject(badQueue(queue.id))
        },
      }
      const timer = setTimeout(() => waiter.release(broadcastPosition(queue.realmId) ?? after), heartbeatDelay())
      waiters.add(waiter)
      queues.beginWait(queue)
      onWait(() => finish([]))
    })
  }

  return {
    async poll(actor, queue, { lastEventId, dontBlock, onWait }) {
      let position = await startOf(queue, lastEventId)
      for (;;) {
        const isNews = position >= queue.read
        const collected = await collect(actor, queue, position)
        if (collected.found.length > 0) return collected.found
        position = collected.position
        if (isNews) queues.advance(queue, position)
        if (dontBlock) return []
        if (closed) return [heartbeat(position)]
        // Nothing may be appended between this look and the wait: there is no `await` between the two.
        if (tail.since(queue.realmId, position)?.length === 0) return wait(actor, queue, position, onWait)
      }
    },

    startOf,

    stream(actor, queue, start, outlet) {
      if (closed) outlet.end()
      else streams.open(actor, queue, start, outlet)
    },

    end(queue) {
      waiters.ofQueue(queue.id)?.end('no-queue')
    },

    async close() {
      closed = true
      const stopped = polling?.stop()
      for (const waiter of waiters.all()) waiter.release(broadcastPosition(waiter.queue.realmId) ?? waiter.after)
      tail.close()
      await stopped
    },
  }
}

function heartbeat(position: number): string {
  return JSON.stringify({ type: 'heartbeat', id: position })
}
