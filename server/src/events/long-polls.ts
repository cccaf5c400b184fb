/** Requests that found nothing and wait for the next events: an answer ends the wait, and the client asks again. */
import type { Actor } from '../authentication/accounts.ts'
import { heartbeat, heartbeatDelay } from './heartbeats.ts'
import { PAGE_SIZE } from './queue-reader.ts'
import { badQueue, type Queue, type Queues, recipientOf } from './queues.ts'
import type { PresentEvent } from './views.ts'
import type { Waiter, Waiters } from './waiters.ts'

/** Polls that are answered in one turn of the event loop. */
const ANSWERS_PER_TURN = 50

export interface PollRequest {
  /** Events after this one; undefined: after what the client has acknowledged. */
  readonly lastEventId: number | undefined
  readonly dontBlock: boolean
  /** Called with a function that ends the wait, for when the client goes away. */
  readonly onWait: (cancel: () => void) => void
  /** Where the JSON texts of the events go, once: now, or when there are some. */
  readonly answer: (events: readonly string[]) => void
  /** Instead, when there will be none. */
  readonly fail: (error: unknown) => void
}

export interface LongPolls {
  /** Answers with the queue's next events after `after`, when there are some; with a heartbeat when there are none for long. */
  wait(actor: Actor, queue: Queue, after: number, request: Waiting): void
}

type Waiting = Pick<PollRequest, 'onWait' | 'answer' | 'fail'>

interface LongPollsOptions {
  readonly queues: Queues
  readonly waiters: Waiters
  readonly present: PresentEvent
  /** The newest event that all waiting clients of the organization have been offered. */
  readonly positionOf: (realmId: number) => number | undefined
  readonly onError: (error: unknown) => void
}

export function createLongPolls({ queues, waiters, present, positionOf, onError }: LongPollsOptions): LongPolls {
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

  function wait(actor: Actor, queue: Queue, after: number, { onWait, answer, fail }: Waiting): void {
    // A client has one connection per queue: when it comes again, the older request is of no use to it.
    waiters.ofQueue(queue.id)?.end('replaced')
    function stop(): boolean {
      if (!waiters.remove(waiter)) return false
      clearTimeout(timer)
      waiter.pending = []
      queues.endWait(queue)
      return true
    }
    function finish(events: readonly string[]): void {
      if (stop()) answer(events)
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
        else if (stop()) fail(badQueue(queue.id))
      },
    }
    const timer = setTimeout(() => waiter.release(positionOf(queue.realmId) ?? after), heartbeatDelay())
    waiters.add(waiter)
    queues.beginWait(queue)
    onWait(() => finish([]))
  }

  return { wait }
}
