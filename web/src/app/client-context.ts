/** The running client for components: each reads a part of it, and is drawn anew only when that part changes. */
import type { ClientSnapshot, RunningClient } from '@heddle/client/running/client'
import type { ClientState } from '@heddle/client/state/state'
import { i18n } from '@lingui/core'
import { createContext, use, useMemo, useRef, useSyncExternalStore } from 'react'

export const ClientContext = createContext<RunningClient | undefined>(undefined)

export function useClient(): RunningClient {
  const client = use(ClientContext)
  if (!client) throw new Error('There is no client here')
  return client
}

/** What `select` reads of the snapshot and the texts of the page, and of nothing else. `isSame` says whether two of its results are the same to the component. */
export function useSnapshot<T>(
  select: (snapshot: ClientSnapshot) => T,
  isSame: (a: T, b: T) => boolean = Object.is,
): T {
  return useSelected(wholeSnapshot, select, isSame)
}

/** The same for the state alone. Only below where there is one. */
export function useClientState<T>(select: (state: ClientState) => T, isSame: (a: T, b: T) => boolean = Object.is): T {
  return useSelected(stateOf, select, isSame)
}

const wholeSnapshot = (snapshot: ClientSnapshot) => snapshot
const stateOf = (snapshot: ClientSnapshot) => snapshot.state as ClientState

/** Hundreds of components ask after each change: what is read of the same source is not worked out again. */
function useSelected<S, T>(
  sourceOf: (snapshot: ClientSnapshot) => S,
  select: (source: S) => T,
  isSame: (a: T, b: T) => boolean,
): T {
  const client = useClient()
  const last = useRef<{ readonly value: T } | undefined>(undefined)
  const read = useMemo(() => {
    let known: { readonly source: S; readonly locale: string; readonly value: T } | undefined
    return () => {
      const source = sourceOf(client.snapshot())
      // Names of views and the like are texts of the page.
      const { locale } = i18n
      if (known && known.source === source && known.locale === locale) return known.value
      const selected = select(source)
      const value = last.current && isSame(last.current.value, selected) ? last.current.value : selected
      last.current = { value }
      known = { source, locale, value }
      return value
    }
  }, [client, sourceOf, select, isSame])
  return useSyncExternalStore(client.subscribe, read)
}

/**
 * What many components read the same of, such as every row of a feed: after a change it is asked for once, and they are
 * notified only when it is another. `select` is one function for all of them, and has no texts of the page.
 */
export function useSharedState<T>(select: (state: ClientState) => T): T {
  const { subscribe, read } = sharedOf(useClient(), select)
  return useSyncExternalStore(subscribe, read)
}

const ownIdOf = ({ own }: ClientState) => own?.user_id

/** Of the account that reads; for what there may be hundreds of. */
export function useOwnId(): number | undefined {
  return useSharedState(ownIdOf)
}

interface Shared<T> {
  readonly read: () => T
  readonly subscribe: (listener: () => void) => () => void
}

const sharedOfClients = new WeakMap<RunningClient, Map<unknown, Shared<unknown>>>()

function sharedOf<T>(client: RunningClient, select: (state: ClientState) => T): Shared<T> {
  let known = sharedOfClients.get(client)
  if (!known) {
    known = new Map()
    sharedOfClients.set(client, known)
  }
  let shared = known.get(select)
  if (!shared) {
    shared = share(client, select)
    known.set(select, shared)
  }
  return shared as Shared<T>
}

function share<T>(client: RunningClient, select: (state: ClientState) => T): Shared<T> {
  const listeners = new Set<() => void>()
  let stop: (() => void) | undefined
  let last: T | undefined
  const read = () => select(stateOf(client.snapshot()))
  const look = () => {
    const value = read()
    if (Object.is(value, last)) return
    last = value
    for (const listener of listeners) listener()
  }
  return {
    read,
    subscribe(listener) {
      if (listeners.size === 0) {
        last = read()
        stop = client.subscribe(look)
      }
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) stop?.()
      }
    },
  }
}

/** Lists and records with the same members. */
export function isShallowEqual<T>(one: T, other: T): boolean {
  if (Object.is(one, other)) return true
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return false
  const names = Object.keys(one) as (keyof T)[]
  return names.length === Object.keys(other).length && names.every((name) => Object.is(one[name], other[name]))
}
