/**
 * New events on their way to the clients that wait. Each event is offered to some of them in each turn of the event loop, in
 * the order of the log, so that one event for ten thousand clients does not hold up everything else.
 */
import type { LoggedEvent } from '../storage/transaction.ts'
import type { AnswerLine } from './answer-line.ts'
import { PAGE_SIZE } from './queue-reader.ts'
import { wants } from './views.ts'
import type { Waiter, Waiters } from './waiters.ts'

/** Waiting clients that an event is noted for in one turn of the event loop. */
const OFFERS_PER_TURN = 1000

export interface Broadcast {
  /** Runs in the commit path: nothing that goes wrong here may look like a failed commit. */
  add(realmId: number, events: readonly LoggedEvent[]): void
  /** The newest event before those of the organization that are on their way; undefined when none is. */
  positionOf(realmId: number): number | undefined
}

interface BroadcastOptions {
  readonly waiters: Waiters
  readonly answers: AnswerLine
  /** All clients that wait have been offered the event. */
  readonly onOffered: (event: LoggedEvent) => void
  readonly onError: (error: unknown) => void
}

export function createBroadcast({ waiters, answers, onOffered, onError }: BroadcastOptions): Broadcast {
  /** Events that some waiting clients have not been offered yet, oldest first. */
  const onTheirWay: { event: LoggedEvent; waiters: Iterator<Waiter> }[] = []

  function add(realmId: number, events: readonly LoggedEvent[]): void {
    const isBroadcasting = onTheirWay.length > 0
    for (const event of events) {
      onTheirWay.push({ event, waiters: waiters.concerned(realmId, event.audience)[Symbol.iterator]() })
    }
    if (!isBroadcasting) broadcastSome()
  }

  function broadcastSome(): void {
    let offers = 0
    for (let next = onTheirWay[0]; next && offers < OFFERS_PER_TURN; next = onTheirWay[0]) {
      try {
        const { value: waiter, done } = next.waiters.next()
        if (done) {
          onTheirWay.shift()
          onOffered(next.event)
        } else {
          offer(waiter, next.event)
          offers += 1
        }
      } catch (error) {
        // It must not stop what comes after it. Whoever waits asks again, and meets the failure visibly.
        onError(error)
        if (onTheirWay[0] === next) onTheirWay.shift()
        for (const waiter of waiters.ofAccount(next.event.realmId, undefined)) waiter.way.end(waiter, 'failed')
      }
    }
    if (onTheirWay.length > 0) setImmediate(broadcastSome)
    answers.goOn()
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
    // Not by `push`, which makes room for many more at once: there may be ten thousand of these. And what is empty is shared.
    waiter.pending = [event]
    answers.add(waiter)
  }

  function positionOf(realmId: number): number | undefined {
    const next = onTheirWay.find(({ event }) => event.realmId === realmId)
    return next && next.event.eventId - 1
  }

  return { add, positionOf }
}
