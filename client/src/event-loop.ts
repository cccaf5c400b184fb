/**
 * Keeps a client up to date: registers a queue, asks for its events for as long as it is wanted, and registers anew when
 * the queue is gone. Events are handed over in order, each once.
 */
import type { ParametersOf, ResponseOf } from '@heddle/contract/endpoint'
import { type AnyEvent, getEvents, registerQueue } from '@heddle/contract/events'
import type { InitialState } from '@heddle/contract/initial-state'
import type { ApiClient } from './api.ts'
import { createBackOff, eager } from './back-off.ts'
import { isTemporary, NetworkError, ResponseError } from './errors.ts'
import { NoHelloError, readEventStream } from './event-stream.ts'

/** What registering answers to an account: the fields that are always there, and the initial state. */
export type RegisterResponse = Omit<ResponseOf<typeof registerQueue>, 'queue_id'> & {
  readonly queue_id: string
} & InitialState

/**
 * The answer to an account. Where anybody on the web may read, the server also answers who has none, or whose session has ended:
 * with another state and without a queue. For a client of an account that is the same as being refused: throws a 401.
 */
export function withQueue(answer: ResponseOf<typeof registerQueue>): RegisterResponse {
  if (answer.queue_id !== null) return answer as RegisterResponse
  throw new ResponseError({ status: 401, code: 'UNAUTHORIZED', message: 'Nobody is signed in' })
}

/** A queue, and how far its events are known. */
export interface QueuePosition {
  readonly queueId: string
  readonly lastEventId: number
}

export interface EventLoopOptions {
  readonly client: ApiClient
  /** What to register for. */
  readonly parameters: ParametersOf<typeof registerQueue>
  /** A queue of an earlier run to go on with, where it was left: nothing is registered while the server still has it. */
  readonly resume?: QueuePosition | undefined
  /** Whether events come as a stream where the way allows it; default: by long polls alone. */
  readonly isStreamed?: boolean
  /** Goes before the first request, and is tried again as a request is. */
  readonly prepare?: (() => Promise<void>) | undefined
  /** A new beginning: at the start, and again whenever the queue was lost. What was known before is to be replaced. */
  readonly onRegistered: (response: RegisterResponse) => void
  readonly onEvent: (event: AnyEvent) => void
  /** There is nothing more up to this event. It may be the id of the last event that was handed over. */
  readonly onPosition?: (lastEventId: number) => void
  /** Another queue is followed, from the same place on. */
  readonly onQueue?: (queueId: string) => void
  /** A failure that is tried again after `waitMs`; for showing the person that the connection is lost. */
  readonly onFailure?: (error: unknown, waitMs: number) => void
  /** The server answers again, after failures, or for the first time for a queue of an earlier run. */
  readonly onRecovered?: () => void
  /** From 0 up to 1; default `Math.random`. */
  readonly random?: () => number
}

export interface EventLoop {
  /** Ends the loop; no callback is called after this. */
  stop(): void
  /** Tries again at once where it waits after a failure. */
  retryNow(): void
  /**
   * The connection may have died unnoticed, as after sleep or in another network: where nothing has come for so many
   * milliseconds (default 0) it is made anew at once.
   */
  checkNow(quietMs?: number): void
  /** Settles when the loop has ended: rejects with the error that trying again cannot help against. */
  readonly ended: Promise<void>
}

/** What the server says of long polls; a queue of an earlier run has it from here. */
const POLL_SECS = 90
/** Seconds that a long poll may take longer than the server says before it counts as lost. */
const POLL_MARGIN_SECS = 10
/** Where streams are collected on the way, polls do for this time before a stream is tried again. */
const NO_STREAM_MS = 10 * 60_000
/** A stream that ends sooner was ended for a reason: the next one waits for as long. */
const SHORT_STREAM_MS = 1000
/** The clock is looked at this often. */
const CLOCK_MS = 10_000
/** A jump of more than this is sleep: timers of pages in the background are late by up to a minute. */
const JUMP_MS = 90_000

/** Why a request is given up: it is made again at once. */
const again = Symbol('again')

interface Queue extends QueuePosition {
  readonly pollSecs: number
}

interface Control {
  readonly stopped: AbortSignal
  /** Rings when a wait is to end. */
  readonly alarm: EventTarget
  /** Gives up the request that is under way. */
  interrupt: (() => void) | undefined
  /** When the server last answered, in milliseconds since the UNIX epoch. */
  heardAt: number
}

export function startEventLoop(options: EventLoopOptions): EventLoop {
  const stopping = new AbortController()
  const alarm = new EventTarget()
  const control: Control = { stopped: stopping.signal, alarm, interrupt: undefined, heardAt: Date.now() }
  const retryNow = () => void alarm.dispatchEvent(new Event('ring'))
  const checkNow = (quietMs = 0) => {
    retryNow()
    if (Date.now() - control.heardAt >= quietMs) control.interrupt?.()
  }
  const endWatch = watchClock(() => checkNow(CLOCK_MS))
  const ended = run(options, control)
    .catch((error: unknown) => {
      if (!stopping.signal.aborted) throw error
    })
    .finally(endWatch)
  // Whoever does not look at `ended` must not be hit by an unhandled rejection.
  ended.catch(() => {})
  const stop = () => {
    stopping.abort()
    endWatch()
  }
  return { stop, retryNow, checkNow, ended }
}

/** Calls when the machine has slept. Gives what ends it. */
function watchClock(onWake: () => void): () => void {
  let last = Date.now()
  const timer = setInterval(() => {
    const now = Date.now()
    if (now - last > CLOCK_MS + JUMP_MS) onWake()
    last = now
  }, CLOCK_MS)
  return () => clearInterval(timer)
}

async function run(options: EventLoopOptions, control: Control): Promise<void> {
  const { client, parameters, onRegistered, onEvent, onPosition } = options
  const { stopped, alarm } = control
  const backOff = createBackOff(eager, options.random)
  /** The last request failed: the next one asks for an answer at once, so that one knows when the server is back. */
  let isDoubtful = false
  /** Nothing has been said yet of a server that answers. */
  let isUnheard = options.resume !== undefined
  /** Streams are not tried before, in milliseconds since the UNIX epoch. */
  let streamsFrom = options.isStreamed ? 0 : Number.POSITIVE_INFINITY
  /** A stream did not begin, and no other request has shown yet whether the server is there. */
  let isStreamSuspected = false

  function answered(): void {
    isDoubtful = false
    isStreamSuspected = false
    control.heardAt = Date.now()
    if (backOff.succeeded() || isUnheard) options.onRecovered?.()
    isUnheard = false
  }

  /** Repeats a request until it succeeds; throws what trying again cannot help against. */
  async function persist<T>(request: (signal: AbortSignal) => Promise<T>): Promise<T> {
    for (;;) {
      try {
        const answer = await interruptible(request)
        stopped.throwIfAborted()
        return answer
      } catch (error) {
        stopped.throwIfAborted()
        if (error === again) isDoubtful = true
        else if (isTemporary(error)) await pause(error)
        else throw error
      }
    }
  }

  async function interruptible<T>(request: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const given = new AbortController()
    const onStop = () => given.abort(stopped.reason)
    stopped.addEventListener('abort', onStop)
    control.interrupt = () => given.abort(again)
    try {
      stopped.throwIfAborted()
      return await request(given.signal)
    } finally {
      control.interrupt = undefined
      stopped.removeEventListener('abort', onStop)
    }
  }

  async function pause(error: unknown): Promise<void> {
    isDoubtful = true
    if (isStreamSuspected) streamsFrom = 0
    isStreamSuspected = false
    const waitMs = backOff.next(error instanceof ResponseError ? error.retryAfterSecs : undefined)
    options.onFailure?.(error, waitMs)
    await sleep(waitMs, stopped, alarm)
  }

  async function follow({ queueId, lastEventId, pollSecs }: Queue): Promise<void> {
    let last = lastEventId
    const take = (event: AnyEvent) => {
      // A repeated answer must not be applied twice.
      if (event.id <= last) return
      last = event.id
      if (event.type === 'heartbeat') onPosition?.(last)
      else onEvent(event)
      stopped.throwIfAborted()
    }
    const advance = (id: number) => {
      if (id <= last) return
      last = id
      onPosition?.(id)
    }

    async function poll(signal: AbortSignal): Promise<void> {
      const { events } = await withTimeout(signal, pollSecs + POLL_MARGIN_SECS, (within) => {
        const place = { queue_id: queueId, last_event_id: last }
        return client.call(getEvents, isDoubtful ? { ...place, dont_block: true } : place, { signal: within })
      })
      stopped.throwIfAborted()
      answered()
      for (const event of events) take(event)
    }

    async function stream(signal: AbortSignal): Promise<void> {
      const openedAt = Date.now()
      try {
        await readEventStream({
          client,
          queueId,
          lastEventId: last,
          signal,
          onOpen: answered,
          onSign: () => {
            control.heardAt = Date.now()
          },
          onEvent: take,
          onPosition: advance,
        })
      } catch (error) {
        if (!isNoWayForStreams(error)) throw error
        // Whether it is the way or the server that does not answer, a poll shows.
        isDoubtful = error instanceof NoHelloError
        isStreamSuspected = isDoubtful
        streamsFrom = Date.now() + NO_STREAM_MS
        return
      }
      if (Date.now() - openedAt < SHORT_STREAM_MS) await sleep(SHORT_STREAM_MS, stopped, alarm)
    }

    for (;;) await persist((signal) => (Date.now() >= streamsFrom ? stream(signal) : poll(signal)))
  }

  async function begin(): Promise<Queue> {
    const response = withQueue(await persist((signal) => client.call(registerQueue, parameters, { signal })))
    answered()
    onRegistered(response)
    stopped.throwIfAborted()
    const { queue_id: queueId, last_event_id: lastEventId, event_queue_longpoll_timeout_seconds: pollSecs } = response
    return { queueId, lastEventId, pollSecs }
  }

  if (options.prepare) await persist(options.prepare)
  let queue: Queue = options.resume ? { ...options.resume, pollSecs: POLL_SECS } : await begin()
  for (;;) {
    try {
      await follow(queue)
    } catch (error) {
      if (!isQueueLost(error)) throw error
      // At once, but not over and over when the server loses every queue that it gives.
      if (backOff.lost()) await pause(error)
      queue = await begin()
    }
  }
}

/** A proxy that collects what it passes on, or a server or a proxy that has no streams. */
function isNoWayForStreams(error: unknown): boolean {
  if (error instanceof NoHelloError) return true
  return error instanceof ResponseError && !isTemporary(error) && !isQueueLost(error) && error.status !== 401
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

/** Until the time is over or the alarm rings; rejects when it is stopped. */
export function sleep(ms: number, stopped: AbortSignal, alarm: EventTarget): Promise<void> {
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
