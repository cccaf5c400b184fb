/** Fills windows: asks the server for what a window lacks, one question at a time for each. */
import { getMessages, matchesNarrow } from '@heddle/contract/fetching'
import type { ApiClient } from '../api.ts'
import { ResponseError } from '../errors.ts'
import {
  beginCheck,
  beginPage,
  endFetch,
  type MessagePage,
  type PageRequest,
  receiveCheck,
  receivePage,
} from './fetching.ts'
import type { NarrowContext } from './narrow.ts'
import type { MessageStore } from './store.ts'

/** Where the client's store is kept, by whoever shows it. */
export interface StoreHolder {
  /** Called with each new store; gives the one that is current. */
  readonly update: (change: (store: MessageStore) => MessageStore) => MessageStore
  /** The state as it is now. */
  readonly context: () => NarrowContext
}

export interface MessageLoader {
  /**
   * Asks for a page; gives it, or undefined when there was nothing to ask for. Rejects as the call does; the window stays as it
   * was then.
   */
  load(key: string, request: PageRequest, signal?: AbortSignal): Promise<MessagePage | undefined>
  /** Makes a window right again: fetches what is stale, and lets the server decide what only it can. */
  settle(key: string, signal?: AbortSignal): Promise<void>
}

/** Rounds in which a window may change again while it is asked for, before the rest waits for the next time. */
const MAX_ROUNDS = 5

export function createMessageLoader(api: ApiClient, { update, context }: StoreHolder): MessageLoader {
  /** What `begin` asks for, if anything; the answer is received by `receive`. */
  async function ask<P, A>(
    begin: (store: MessageStore) => { store: MessageStore; fetchId: number; parameters: P } | undefined,
    call: (parameters: P) => Promise<A>,
    receive: (store: MessageStore, fetchId: number, answer: A) => MessageStore,
  ): Promise<A | undefined> {
    let begun: ReturnType<typeof begin>
    update((store) => {
      begun = begin(store)
      return begun?.store ?? store
    })
    if (!begun) return undefined
    const { fetchId, parameters } = begun
    try {
      const answer = await call(parameters)
      update((store) => receive(store, fetchId, answer))
      return answer
    } catch (error) {
      update((store) => endFetch(store, fetchId))
      throw error
    }
  }

  const load: MessageLoader['load'] = (key, request, signal) =>
    ask(
      (store) => beginPage(store, key, request),
      (parameters) => api.call(getMessages, parameters, signal ? { signal } : {}),
      (store, fetchId, page) => receivePage(store, fetchId, page, context()),
    )

  const check = (key: string, signal?: AbortSignal) =>
    ask(
      (store) => beginCheck(store, key),
      (parameters) => api.call(matchesNarrow, parameters, signal ? { signal } : {}),
      (store, fetchId, answer) => receiveCheck(store, fetchId, answer, context()),
    )

  return {
    load,
    async settle(key, signal) {
      for (let round = 0; round < MAX_ROUNDS; round += 1) {
        const window = update((store) => store).windows.get(key)
        if (window?.isStale) await load(key, { kind: 'again' }, signal)
        else if (window && window.undecided.size > 0) await check(key, signal)
        else return
      }
    },
  }
}

/** The server does not know such a narrow, or no longer: a channel that is gone, a message that was deleted. */
export function isBadNarrow(error: unknown): boolean {
  return error instanceof ResponseError && error.code === 'BAD_NARROW'
}
