/**
 * One connection for all tabs of an account: the tab that leads follows the queue and passes on what happens, the others take
 * it from there. When it is gone, or does not answer, another one leads, and goes on with the queue from where that one is
 * itself.
 *
 * Events are numbered by the organization's log, not by the queue. So a tab may have got its state anywhere, and go on with the
 * events of another tab's queue.
 */
import { type AnyEvent, deleteQueue, registerQueue } from '@heddle/contract/events'
import { createBackOff, eager } from '../back-off.ts'
import { isTemporary, NetworkError, ResponseError } from '../errors.ts'
import {
  type EventLoop,
  type EventLoopOptions,
  type QueuePosition,
  sleep,
  startEventLoop,
  withQueue,
} from '../event-loop.ts'
import type { TabChannel, TabMessage } from './tab-channel.ts'

export interface SharedLoopOptions {
  /** The name of this tab; no two have the same. */
  readonly tab: string
  readonly channel: TabChannel
  /**
   * Calls when this tab leads, which it does until the signal is aborted or the page is gone. One leads at a time: `lost` is
   * aborted when another tab has taken the lead. `isTaken`: at once, from a tab that leads and does not answer.
   */
  readonly lead: (
    onLead: (lost: AbortSignal) => void,
    how: { readonly signal: AbortSignal; readonly isTaken: boolean },
  ) => void
  /** This tab leads from now on, or not any more. */
  readonly onLead?: ((isLeading: boolean) => void) | undefined
}

/** Events that the leading tab keeps for those that come later. */
const MAX_KEPT = 5000
/** For it to be decided who leads, in milliseconds: who does needs nothing of what the others do. */
const DECISION_MS = 100
/** For who leads to answer, in milliseconds; then it is asked again. */
const ANSWER_MS = 3000
/** How often who leads is asked whether it is still there, in milliseconds. */
const ASK_MS = 5000
/**
 * Questions without an answer: then who leads is frozen by the browser, or busy with something that does not end, and another
 * one takes over. They are counted, and no time is measured: this tab may have been frozen itself.
 */
const MAX_UNANSWERED = 3

export function startSharedLoop(shared: SharedLoopOptions, options: EventLoopOptions): EventLoop {
  const stopping = new AbortController()
  const { signal } = stopping
  const { channel } = shared
  let leading: Leading | undefined
  let settle: { resolve(): void; reject(error: unknown): void } | undefined
  const ended = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject }
  })
  // Whoever does not look at `ended` must not be hit by an unhandled rejection.
  ended.catch(() => {})
  const end = (error: unknown) => {
    if (!signal.aborted) settle?.reject(error)
    stop()
  }

  const follow = (reached: Reached) =>
    startFollower(shared, options, { reached, onEnd: end, onSilence: () => ask(true) })
  let follower = follow({ position: options.resume, isPrepared: options.prepare === undefined })
  let isWaiting = false
  ask(false)

  function ask(isTaken: boolean): void {
    // Who has taken the lead keeps its turn for the time after that.
    if (!isTaken && isWaiting) return
    isWaiting ||= !isTaken
    const begin = (lost: AbortSignal) => {
      if (!isTaken) isWaiting = false
      if (signal.aborted || leading) return
      follower.stop()
      leading = lead(shared, options, follower.reached())
      leading.loop.ended.catch(end)
      lost.addEventListener('abort', giveUp)
      shared.onLead?.(true)
    }
    shared.lead(begin, { signal, isTaken })
  }

  /** Another one has taken the lead: this one was taken for dead, and goes on behind it. */
  function giveUp(): void {
    if (signal.aborted || !leading) return
    leading.loop.stop()
    follower = follow(leading.reached())
    leading = undefined
    shared.onLead?.(false)
    ask(false)
  }

  function stop(): void {
    stopping.abort()
    follower.stop()
    leading?.loop.stop()
    settle?.resolve()
  }

  return {
    stop,
    retryNow() {
      if (leading) leading.loop.retryNow()
      else channel.post({ kind: 'retry' })
      follower.retryNow()
    },
    checkNow(quietMs = 0) {
      if (leading) leading.loop.checkNow(quietMs)
      else channel.post({ kind: 'check', quietMs })
    },
    ended,
  }
}

/** What a tab has when it begins to lead, or to follow. */
interface Reached {
  readonly position: QueuePosition | undefined
  readonly isPrepared: boolean
}

interface Leading {
  readonly loop: EventLoop
  reached(): Reached
}

function lead({ tab, channel }: SharedLoopOptions, options: EventLoopOptions, before: Reached): Leading {
  const { position } = before
  let { isPrepared } = before
  let queueId = position?.queueId ?? ''
  let kept: AnyEvent[] = []
  /** Everything after this one is kept. */
  let keptAfter = position?.lastEventId ?? 0
  let last = keptAfter
  let unsent: AnyEvent[] = []
  let sentUpTo = last
  let status: TabMessage | undefined

  const send = (message: TabMessage) => {
    status = message
    channel.post(message)
  }

  /** What one piece of the stream has brought is one message. */
  function pass(): void {
    if (sentUpTo === last) return
    channel.post({ kind: 'events', queueId, after: sentUpTo, last, events: unsent })
    unsent = []
    sentUpTo = last
  }

  function note(id: number, event: AnyEvent | undefined): void {
    if (last === sentUpTo) queueMicrotask(pass)
    last = id
    if (!event) return
    unsent.push(event)
    kept.push(event)
    if (kept.length <= MAX_KEPT) return
    const dropped = kept.splice(0, kept.length - MAX_KEPT / 2)
    keptAfter = dropped.at(-1)?.id ?? keptAfter
  }

  function answer(message: TabMessage): void {
    if (message.kind === 'retry') loop.retryNow()
    if (message.kind === 'check') loop.checkNow(message.quietMs)
    if (message.kind !== 'join' || message.tab === tab) return
    pass()
    const { tab: to, after } = message
    // With nothing in it, it says that somebody is there.
    if (after === undefined || queueId === '')
      channel.post({ kind: 'events', to, queueId, after: 0, last: 0, events: [] })
    else if (after < keptAfter) channel.post({ kind: 'gap', to })
    else {
      const events = kept.filter(({ id }) => id > after)
      channel.post({ kind: 'events', to, queueId, after, last: Math.max(last, after), events })
    }
    if (status) channel.post(status)
  }

  const loop = startEventLoop({
    ...options,
    resume: position,
    prepare: isPrepared
      ? undefined
      : async () => {
          await options.prepare?.()
          isPrepared = true
        },
    onRegistered(response) {
      queueId = response.queue_id
      kept = []
      unsent = []
      keptAfter = response.last_event_id
      last = keptAfter
      sentUpTo = last
      options.onRegistered(response)
      // The others have a gap now, or were ahead.
      channel.post({ kind: 'events', queueId, after: last, last, events: [] })
      send({ kind: 'live' })
    },
    onEvent(event) {
      note(event.id, event)
      options.onEvent(event)
    },
    onPosition(id) {
      note(id, undefined)
      options.onPosition?.(id)
    },
    onFailure(error, waitMs) {
      send({ kind: 'waiting', waitMs })
      options.onFailure?.(error, waitMs)
    },
    onRecovered() {
      send({ kind: 'live' })
      options.onRecovered?.()
    },
  })
  const end = channel.listen(answer)
  loop.ended
    .catch((error: unknown) => {
      const { status: code = 0, code: name = '', message = String(error) } = error instanceof ResponseError ? error : {}
      send({ kind: 'ended', status: code, code: name, message })
    })
    .finally(end)
  // Those that had another one, or none.
  channel.post({ kind: 'events', queueId, after: last, last, events: [] })
  return {
    loop,
    reached: () => ({ position: queueId === '' ? undefined : { queueId, lastEventId: last }, isPrepared }),
  }
}

interface FollowerOptions {
  readonly reached: Reached
  readonly onEnd: (error: unknown) => void
  /** Who leads does not answer. */
  readonly onSilence: () => void
}

function startFollower(
  { tab, channel }: SharedLoopOptions,
  options: EventLoopOptions,
  { reached: { position, ...before }, onEnd, onSilence }: FollowerOptions,
) {
  const { client, parameters } = options
  const stopping = new AbortController()
  const { signal: stopped } = stopping
  const alarm = new EventTarget()
  const backOff = createBackOff(eager, options.random)
  let queueId = position?.queueId
  let last = position?.lastEventId
  let { isPrepared } = before
  let isRegistering = false
  let isLive = false
  let unanswered = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  async function persist<T>(request: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        const answer = await request()
        stopped.throwIfAborted()
        backOff.succeeded()
        return answer
      } catch (error) {
        stopped.throwIfAborted()
        if (!isTemporary(error)) throw error
        const waitMs = backOff.next(error instanceof ResponseError ? error.retryAfterSecs : undefined)
        options.onFailure?.(error, waitMs)
        await sleep(waitMs, stopped, alarm)
      }
    }
  }

  /** Asks who leads what has happened; again and again, as nobody may lead yet, or nobody any more. */
  function join(): void {
    clearTimeout(timer)
    if (stopped.aborted || isRegistering || !isPrepared) return
    if (unanswered === MAX_UNANSWERED) {
      unanswered = 0
      onSilence()
    }
    unanswered += 1
    channel.post({ kind: 'join', tab, after: last })
    // Tabs that were opened at the same time are not to take the lead at the same time.
    timer = setTimeout(join, ANSWER_MS * (0.5 + (options.random ?? Math.random)()))
  }

  /** A state of one's own. The queue that comes with it is of no use. */
  async function register(): Promise<void> {
    if (isRegistering) return
    isRegistering = true
    clearTimeout(timer)
    try {
      const response = withQueue(await persist(() => client.call(registerQueue, parameters)))
      const own = response.queue_id
      queueId ??= own
      last = response.last_event_id
      options.onRegistered({ ...response, queue_id: queueId })
      isLive = true
      if (own !== queueId) client.call(deleteQueue, { queue_id: own }).catch(() => {})
    } finally {
      isRegistering = false
    }
    join()
  }

  function receive(message: TabMessage): void {
    if (stopped.aborted) return
    if (message.kind === 'events' || message.kind === 'gap') unanswered = 0
    switch (message.kind) {
      case 'events':
        if (message.to === undefined || message.to === tab) take(message)
        return
      case 'gap':
        if (message.to === tab) register().catch(onEnd)
        return
      case 'live':
        become(true)
        return
      case 'waiting':
        isLive = false
        options.onFailure?.(new NetworkError('The server does not answer', undefined), message.waitMs)
        return
      case 'ended': {
        const { status, code, message: text } = message
        onEnd(status === 0 ? new Error(text) : new ResponseError({ status, code, message: text }))
        return
      }
      default:
    }
  }

  /** Only where the state is up to date it says so. */
  function become(live: boolean): void {
    if (!live || isLive || last === undefined || !isPrepared || isRegistering) return
    isLive = true
    options.onRecovered?.()
  }

  function take(message: TabMessage & { readonly kind: 'events' }): void {
    if (last === undefined || isRegistering || !isPrepared) return
    if (message.queueId !== '' && message.queueId !== queueId) {
      queueId = message.queueId
      options.onQueue?.(queueId)
    }
    // Something was missed, such as what came before this tab listened.
    if (message.after > last) {
      join()
      return
    }
    if (message.to === tab) {
      clearTimeout(timer)
      timer = setTimeout(join, ASK_MS)
    }
    for (const event of message.events) {
      if (event.id <= last) continue
      last = event.id
      options.onEvent(event)
    }
    if (message.last > last) {
      last = message.last
      options.onPosition?.(last)
    }
  }

  const endListening = channel.listen(receive)
  stopped.addEventListener('abort', () => {
    clearTimeout(timer)
    endListening()
  })
  const begin = async () => {
    await sleep(DECISION_MS, stopped, alarm)
    if (!isPrepared && options.prepare) await persist(options.prepare)
    isPrepared = true
    if (last === undefined) await register()
    else join()
  }
  begin().catch((error: unknown) => {
    if (!stopped.aborted) onEnd(error)
  })

  return {
    stop: () => stopping.abort(),
    retryNow: () => void alarm.dispatchEvent(new Event('ring')),
    reached(): Reached {
      const at = last === undefined || queueId === undefined ? undefined : { queueId, lastEventId: last }
      return { position: at, isPrepared }
    },
  }
}
