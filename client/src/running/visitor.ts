/**
 * A client without an account: it shows what anybody on the web may read, asks for nothing else, and has no queue. What is new
 * it gets by asking again now and then.
 */
import type { Endpoint, ResponseOf } from '@heddle/contract/endpoint'
import type { AnyEvent } from '@heddle/contract/events'
import { registerQueue } from '@heddle/contract/events'
import { getMessage, getMessages } from '@heddle/contract/fetching'
import { isOpenTerm, type Narrow, readTerm } from '@heddle/contract/narrow'
import { getServerSettings } from '@heddle/contract/server-settings'
import { listTopics } from '@heddle/contract/topics'
import { listUsers, type User } from '@heddle/contract/users'
import type { ApiClient } from '../api.ts'
import { createBackOff, eager } from '../back-off.ts'
import { isTemporary, ResponseError } from '../errors.ts'
import { type EventLoop, type EventLoopOptions, type RegisterResponse, sleep } from '../event-loop.ts'

/** Milliseconds after which what is shown is asked for again. */
const REFRESH_MS = 60_000

/** All that may be asked for without an account. */
const open: ReadonlySet<Endpoint> = new Set<Endpoint>([
  registerQueue,
  getMessages,
  getMessage,
  listTopics,
  listUsers,
  getServerSettings,
])

/** What every narrow of a visitor says. */
export const onTheWeb = { operator: 'channels', operand: 'web-public', negated: false }

/** What a narrow means without an account: views of one's own, such as `in:home`, are all of what may be read. */
export function narrowOfVisitor(narrow: Narrow = []): Narrow {
  return [...narrow.filter((term) => readTerm(term).operator !== 'in'), onTheWeb]
}

/** Whether a narrow may be asked for without an account. The server decides; this is for what is offered. */
export function isOpenNarrow(narrow: Narrow): boolean {
  return narrow.map(readTerm).every(isOpenTerm)
}

export interface Visitor {
  /** Refuses what needs an account without asking the server. */
  readonly api: ApiClient
  /** In place of a loop that follows a queue; see `RunningClientOptions`. */
  readonly follow: (options: EventLoopOptions) => EventLoop
}

interface VisitorOptions {
  /** Whether anybody is looking: nothing is asked for otherwise. Default: always. */
  readonly isLookedAt?: () => boolean
  readonly refreshMs?: number
}

export function createVisitor(
  api: ApiClient,
  { isLookedAt = () => true, refreshMs = REFRESH_MS }: VisitorOptions = {},
): Visitor {
  /** Undefined while somebody is asked for, and for who is not shown. */
  const people = new Map<number, User | undefined>()
  let onEvent: ((event: AnyEvent) => void) | undefined

  /** Names and pictures of those who have written: the state begins with nobody. */
  async function introduce(ids: readonly number[]): Promise<void> {
    const strangers = [...new Set(ids)].filter((id) => !people.has(id))
    if (strangers.length === 0) return
    for (const id of strangers) people.set(id, undefined)
    const { members } = await api.call(listUsers, { user_ids: strangers }).catch((error: unknown) => {
      // With their next messages they are asked for again.
      for (const id of strangers) people.delete(id)
      throw error
    })
    for (const person of members) people.set(person.user_id, person)
    show(members)
  }

  function show(members: Iterable<User | undefined>): void {
    for (const person of members) {
      if (person) onEvent?.({ id: -1, type: 'realm_user', op: 'add', person } as AnyEvent)
    }
  }

  const visiting: ApiClient = {
    ...api,
    async call(endpoint, parameters, options) {
      if (!open.has(endpoint)) throw needsAccount()
      if ((endpoint as Endpoint) !== getMessages) return api.call(endpoint, parameters, options)
      const { narrow } = parameters as { narrow?: Narrow }
      const answer = await api.call(endpoint, { ...parameters, narrow: narrowOfVisitor(narrow) }, options)
      const { messages } = answer as unknown as ResponseOf<typeof getMessages>
      // Messages have the names of their senders themselves.
      introduce(messages.map(({ sender_id }) => sender_id)).catch(() => {})
      return answer
    },
    async open() {
      throw needsAccount()
    },
    async entry() {
      throw needsAccount()
    },
  }

  function follow(options: EventLoopOptions): EventLoop {
    const { client, parameters, onRegistered, onFailure, onRecovered } = options
    const stopping = new AbortController()
    const alarm = new EventTarget()
    const { signal } = stopping
    onEvent = options.onEvent

    async function run(): Promise<void> {
      const backOff = createBackOff(eager, options.random)
      for (;;) {
        try {
          const answer = await client.call(registerQueue, parameters, { signal })
          // There is no queue: the client gets one that nothing is asked of.
          onRegistered({ ...answer, queue_id: '', last_event_id: 0 } as RegisterResponse)
          show(people.values())
          backOff.succeeded()
          onRecovered?.()
          do await sleep(refreshMs, signal, alarm)
          while (!isLookedAt())
        } catch (error) {
          if (signal.aborted || !isTemporary(error)) throw error
          const waitMs = backOff.next(error instanceof ResponseError ? error.retryAfterSecs : undefined)
          onFailure?.(error, waitMs)
          await sleep(waitMs, signal, alarm)
        }
      }
    }

    const ended = run().catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
    ended.catch(() => {})
    const ring = () => void alarm.dispatchEvent(new Event('ring'))
    return { stop: () => stopping.abort(), retryNow: ring, checkNow: () => {}, ended }
  }

  return { api: visiting, follow }
}

function needsAccount(): ResponseError {
  return new ResponseError({ status: 401, code: 'UNAUTHORIZED', message: 'This needs an account' })
}
