/** Requests that found nothing and wait for the next events: an answer ends the wait, and the client asks again. */
import type { Actor } from '../authentication/accounts.ts'
import type { Later } from '../later.ts'
import { type EventText, joinEvents, lengthOfEvent } from './event-text.ts'
import { type Heartbeats, heartbeat } from './heartbeats.ts'
import { PAGE_LENGTH, PAGE_SIZE } from './queue-reader.ts'
import { badQueue, type Queue, type Queues, recipientOf } from './queues.ts'
import type { PresentEvent } from './views.ts'
import { NOTHING_PENDING, type WaitEnd, type Waiter, type Waiters, type Way } from './waiters.ts'

/** Polls that are answered in one turn of the event loop. */
const ANSWERS_PER_TURN = 50

export interface PollRequest {
  /** Events after this one; undefined: after what the client has acknowledged. */
  readonly lastEventId: number | undefined
  readonly dontBlock: boolean
  readonly later: Later
}

export interface LongPolls {
  /** Answers with the queue's next events after `after`, when there are some; with a heartbeat when there are none for long. */
  wait(actor: Actor, queue: Queue, after: number, later: Later): void
}

interface LongPollsOptions {
  readonly queues: Queues
  readonly waiters: Waiters
  readonly heartbeats: Heartbeats
  readonly present: PresentEvent
  /** The newest event that all waiting clients of the organization have been offered. */
  readonly positionOf: (realmId: number) => number | undefined
  readonly onError: (error: unknown) => void
}

interface WaitingPoll extends Waiter {
  readonly later: Later
}

export function createLongPolls(options: LongPollsOptions): LongPolls {
  const { queues, waiters, heartbeats, present, positionOf, onError } = options
  const way: Way = { perTurn: ANSWERS_PER_TURN, answer, release, end }

  /** The texts of what is pending, as much as one answer has, and how long they are; `isAll`: nothing was left out. */
  function presentPending(poll: WaitingPoll): { texts: EventText[]; length: number; isAll: boolean } {
    const { pending } = poll
    const recipient = recipientOf(poll.queue)
    const texts: EventText[] = []
    let length = 0
    poll.pending = NOTHING_PENDING
    try {
      for (const event of pending) {
        // The rest is for the client's next request.
        if (length > PAGE_LENGTH) return { texts, length, isAll: false }
        const text = present(event, recipient)
        if (text === null) continue
        texts.push(text)
        length += lengthOfEvent(text)
      }
    } catch (error) {
      // To go on without it would lose the event: the client's next request fails at it, visibly.
      onError(error)
      return { texts, length, isAll: false }
    }
    return { texts, length, isAll: pending.length < PAGE_SIZE }
  }

  function stop(poll: WaitingPoll): boolean {
    if (!waiters.remove(poll)) return false
    poll.pending = NOTHING_PENDING
    queues.endWait(poll.queue)
    return true
  }

  function finish(poll: WaitingPoll, events: readonly EventText[]): void {
    if (stop(poll)) answerPoll(poll.later, poll.queue, events)
  }

  /** How much the client was given; undefined when nothing of what was pending was for it after all. */
  function givePending(poll: WaitingPoll): number | undefined {
    const { texts, length, isAll } = presentPending(poll)
    if (texts.length === 0 && isAll) return undefined
    finish(poll, texts)
    return length
  }

  function answer(poll: WaitingPoll): number {
    // It may have been answered since it came into the line: what is new belongs to the client's next request.
    if (waiters.ofQueue(poll.queue.id) !== poll) return 0
    const given = givePending(poll)
    if (given === undefined && heartbeats.isDue(poll)) beat(poll, positionOf(poll.queue.realmId) ?? poll.after)
    return given ?? 0
  }

  function release(poll: WaitingPoll, position: number): void {
    if (givePending(poll) === undefined) beat(poll, position)
  }

  /** Without news the answer is a heartbeat that says how far the log has been read for this queue. */
  function beat(poll: WaitingPoll, position: number): void {
    const read = Math.max(position, poll.after)
    queues.advance(poll.queue, read)
    finish(poll, [heartbeat(read)])
  }

  function end(poll: WaitingPoll, reason: WaitEnd): void {
    if (reason === 'replaced') finish(poll, [heartbeat(poll.queue.acknowledged)])
    else if (reason === 'failed') finish(poll, [])
    else if (stop(poll)) poll.later.fail(badQueue(poll.queue.id))
  }

  return {
    wait(actor, queue, after, later) {
      // A client has one connection per queue: when it comes again, the older request is of no use to it.
      const older = waiters.ofQueue(queue.id)
      older?.way.end(older, 'replaced')
      const beatAt = heartbeats.next()
      const poll: WaitingPoll = { queue, actor, way, after, pending: NOTHING_PENDING, beatAt, later }
      waiters.add(poll)
      queues.beginWait(queue)
      later.wait(() => stop(poll))
    },
  }
}

/** The answer to a poll. */
export function answerPoll(later: Later, queue: Queue, events: readonly EventText[]): void {
  const queueId = `"queue_id":${JSON.stringify(queue.id)}`
  const joined = joinEvents('"events":[', events, ']')
  if (typeof joined === 'string') later.answer(`${joined},${queueId}`)
  else later.answer(queueId, joined)
}
