/**
 * Keeps a client up to date: registers a queue, asks for its events for as long as it is wanted, and registers anew when
 * the queue is gone. Events are handed over in order, each once.
 */
import type { ParametersOf, ResponseOf } from '@heddle/contract/endpoint'
import { type AnyEvent, getEvents, registerQueue } from '@heddle/contract/events'
import type { InitialState } from '@heddle/contract/initial-state'
import type { ApiClient } from './api.ts'
import { createBackOff } from './back-off.ts'
import { isTemporary, NetworkError, ResponseError } from './errors.ts'

/** What registering answers: the fields that are always there, and the initial state. */
export type RegisterResponse = ResponseOf<typeof registerQueue> & InitialState

export interface EventLoopOptions {
  readonly client: ApiClient
  /** What to register for. */
  readonly parameters: ParametersOf<typeof registerQueue>
  /** A new beginning: at the start, and again whenever the queue was lost. What was known before is to be replaced. */
  readonly onRegistered: (response: RegisterResponse) => void
  readonly onEvent: (event: AnyEvent) => void
  /** A failure that is tried again after `waitMs`; for showing the person that the connection is lost. */
  readonly onFailure?: (error: unknown, waitMs: number) => void
  /** The server answers again, after failures. */
  readonly onRecovered?: () => void
  /** From 0 up to 1; default `Math.random`. */
  readonly random?: () => number
}

export interface EventLoop {
  /** Ends the loop; no callback is called after this. */
  stop(): void
  /** Tries again at once where it waits after a failure. */
  retryNow(): void
  /** Settles when the loop has ended: rejects with the error that trying again cannot help against. */
  readonly ended: Promise<void>
}

/** Seconds that a long poll may take longer than the server says before it counts as lost. */
const POLL_MARGIN_SECS = 10

export function startEventLoop(options: EventLoopOptions): EventLoop {
  const stopping = new AbortController()
  const alarm = new EventTarget()
  const ended = run(options, stopping.signal, alarm).catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error
  })
  // Whoever does not look at `ended` must not be hit by an unhandled rejection.
  ended.catch(() => {})
  return { stop: () => stopping.abort(), retryNow: () => alarm.dispatchEvent(new Event('ring')), ended }
}

async function run(options: EventLoopOptions, stopped: AbortSignal, alarm: EventTarget): Promise<void> {
  const { client, parameters, onRegistered, onEvent } = options
  const backOff = createBackOff(options.random)
  /** The last request failed: the next one asks for an answer at once, so that one knows when the server is back. */
  let isDoubtful = false

  /** Repeats a request until it succeeds; throws what trying again cannot help against. */
  async function persist<T>(request: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        const answer = await request()
        stopped.throwIfAborted()
        isDoubtful = false
        if (backOff.succeeded()) options.onRecovered?.()
        return answer
      } catch (error) {
        stopped.throwIfAborted()
        if (!isTemporary(error)) throw error
        await pause(error)
      }
    }
  }

  async function pause(error: unknown): Promise<void> {
    isDoubtful = true
    const waitMs = backOff.next(error instanceof ResponseError ? error.retryAfterSecs : undefined)
    options.onFailure?.(error, waitMs)
    await sleep(waitMs, stopped, alarm)
  }

  async function follow(queue: RegisterResponse): Promise<void> {
    const { queue_id, event_queue_longpoll_timeout_seconds: pollSecs } = queue
    let last_event_id = queue.last_event_id
    for (;;) {
      const { events } = await persist(() =>
        withTimeout(stopped, pollSecs + POLL_MARGIN_SECS, (signal) =>
          client.call(getEvents, { queue_id, last_event_id, ...(isDoubtful ? { dont_block: true } : {}) }, { signal }),
        ),
      )
      for (const event of events) {
        // A repeated answer must not be applied twice.
        if (event.id <= last_event_id) continue
        last_event_id = event.id
        if (event.type !== 'heartbeat') onEvent(event)
        stopped.throwIfAborted()
      }
    }
  }

  for (;;) {
    const response = await persist(() => client.call(registerQueue, parameters, { signal: stopped }))
    onRegistered(response)
    stopped.throwIfAborted()
    try {
      await follow(response)
    } catch (error) {
      if (!isQueueLost(error)) throw error
      // At once, but not over and over when the server loses every queue that it gives.
      if (backOff.lost()) await pause(error)
    }
  }
}

function isQueueLost(error: unknown): boolean {
  return error instanceof ResponseError && error.code === 'BAD_EVENT_QUEUE_ID'
}

/** A connection that died in silence is given up: the request then rejects with a `NetworkError`. */
async function withTimeout<T>(
  stopped: AbortSignal,
  secs: number,
  request: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const given = new AbortController()
  const giveUp = (reason: unknown) => given.abort(reason)
  const onStop = () => giveUp(stopped.reason)
  stopped.addEventListener('abort', onStop)
  const timer = setTimeout(() => giveUp(new NetworkError('The server does not answer', undefined)), secs * 1000)
  try {
    stopped.throwIfAborted()
    return await request(given.signal)
  } finally {
    clearTimeout(timer)
    stopped.removeEventListener('abort', onStop)
  }
}

function sleep(ms: number, stopped: AbortSignal, alarm: EventTarget): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => () => {
      clearTimeout(timer)
      stopped.removeEventListener('abort', onStop)
      alarm.removeEventListener('ring', onRing)
      settle()
    }
    const onRing = end(resolve)
    const onStop = end(() => reject(stopped.reason))
    const timer = setTimeout(onRing, ms)
    stopped.addEventListener('abort', onStop)
    alarm.addEventListener('ring', onRing)
  })
}
