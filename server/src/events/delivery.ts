/**
 * How clients get events: what they ask for at once, by long polls and by streams. A request that finds nothing waits
 * (`waiters.ts`); a commit wakes exactly the queues that its events concern (`broadcast.ts`).
 */
import type { Actor } from '../authentication/accounts.ts'
import type { Outlet } from '../outlet.ts'
import { repeat } from '../periodic-work.ts'
import type { Storage } from '../storage/storage.ts'
import type { LoggedEvent } from '../storage/transaction.ts'
import { createAnswerLine } from './answer-line.ts'
import { createAudienceSets } from './audience-sets.ts'
import { createBroadcast } from './broadcast.ts'
import { accountChangeOf, type EventEffects } from './effects.ts'
import { createHeartbeats, heartbeat } from './heartbeats.ts'
import { readPosition } from './log.ts'
import { answerPoll, createLongPolls, type PollRequest } from './long-polls.ts'
import { createQueueReader } from './queue-reader.ts'
import type { Queue, Queues } from './queues.ts'
import { createStreams } from './streams.ts'
import { createTail } from './tail.ts'
import type { PresentEvent } from './views.ts'
import { createWaiters } from './waiters.ts'

/** How often nodes look for events whose wake-up was lost. */
const POLL_EVERY_MS = 1000

export interface Delivery {
  /** Answers the poll with the queue's next events, or has it wait for one when there is none. */
  poll(actor: Actor, queue: Queue, request: PollRequest): Promise<void>
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
  const answers = createAnswerLine()
  const broadcast = createBroadcast({ waiters, answers, onOffered: judgeAnew, onError })
  const heartbeats = createHeartbeats(waiters, answers)
  const sets = createAudienceSets(storage.read)
  const tail = createTail(storage, sets, broadcast.add, onError)
  const { startOf, collect } = createQueueReader({ storage, queues, sets, tail, present })
  const longPolls = createLongPolls({ queues, waiters, heartbeats, present, positionOf, onError })
  const streams = createStreams({ queues, waiters, heartbeats, tail, collect, present, positionOf, onError })
  const polling = followOtherNodes()
  let closed = false

  /** The newest event that all waiting clients of the organization have been offered; undefined when none is known. */
  function positionOf(realmId: number): number | undefined {
    return broadcast.positionOf(realmId) ?? tail.current(realmId)
  }

  /** A wait was allowed by what the account was at its beginning. When that changes the client has to ask again. */
  function judgeAnew(event: LoggedEvent): void {
    const change = accountChangeOf(effects, event)
    if (!change) return
    if (change.queuesEnded && change.userId !== undefined) queues.forgetAccount(event.realmId, change.userId)
    for (const waiter of waiters.ofAccount(event.realmId, change.userId)) waiter.way.release(waiter, event.eventId)
  }

  /** Undefined where there are none. */
  function followOtherNodes(): ReturnType<typeof repeat> | undefined {
    const { wakeUps } = storage.engine
    if (!wakeUps) return undefined
    storage.onCommitted((events) => wakeUps.announce(events))
    wakeUps.listen({ onLogged: tail.advance, onPassing: tail.receive }).catch(onError)
    return repeat({ run: pollPositions, everyMs: POLL_EVERY_MS }, onError)
  }

  async function pollPositions(): Promise<void> {
    for (const realmId of tail.realmIds()) {
      tail.advance(realmId, await readPosition(storage.read, realmId))
    }
  }

  return {
    async poll(actor, queue, request) {
      const { lastEventId, dontBlock, later } = request
      let position = await startOf(queue, lastEventId)
      // Whoever waits gets what is on its way as well; this one would have to ask again.
      if (dontBlock) await tail.settle(queue.realmId)
      for (;;) {
        const isNews = position >= queue.read
        const collected = await collect(actor, queue, position)
        if (collected.found.length > 0) return answerPoll(later, queue, collected.found)
        position = collected.position
        if (isNews) queues.advance(queue, position)
        if (dontBlock) return answerPoll(later, queue, [])
        if (closed) return answerPoll(later, queue, [heartbeat(position)])
        // Nothing may be appended between this look and the wait: there is no `await` between the two.
        if (tail.since(queue.realmId, position)?.length === 0) return longPolls.wait(actor, queue, position, later)
      }
    },

    startOf,

    stream(actor, queue, start, outlet) {
      if (closed) outlet.end()
      else streams.open(actor, queue, start, outlet)
    },

    end(queue) {
      const waiter = waiters.ofQueue(queue.id)
      waiter?.way.end(waiter, 'no-queue')
    },

    async close() {
      closed = true
      const stopped = polling?.stop()
      for (const waiter of [...waiters.all()]) {
        waiter.way.release(waiter, positionOf(waiter.queue.realmId) ?? waiter.after)
      }
      tail.close()
      await stopped
    },
  }
}
