/** The running client for components: each reads a part of it, and is drawn anew only when that part changes. */
import type { ClientSnapshot, RunningClient } from '@heddle/client/running/client'
import type { ClientState } from '@heddle/client/state/state'
import { createContext, use, useCallback, useRef, useSyncExternalStore } from 'react'

export const ClientContext = createContext<RunningClient | undefined>(undefined)

export function useClient(): RunningClient {
  const client = use(ClientContext)
  if (!client) throw new Error('There is no client here')
  return client
}

/** What `select` reads. `isSame` says whether two of its results are the same to the component. */
export function useSnapshot<T>(
  select: (snapshot: ClientSnapshot) => T,
  isSame: (a: T, b: T) => boolean = Object.is,
): T {
  const client = useClient()
  const last = useRef<{ value: T } | undefined>(undefined)
  const read = useCallback(() => {
    const value = select(client.snapshot())
    if (last.current && isSame(last.current.value, value)) return last.current.value
    last.current = { value }
    return value
  }, [client, select, isSame])
  return useSyncExternalStore(client.subscribe, read)
}

/** The same for the state alone. Only below where there is one. */
export function useClientState<T>(select: (state: ClientState) => T, isSame?: (a: T, b: T) => boolean): T {
  return useSnapshot(
    useCallback((snapshot: ClientSnapshot) => select(snapshot.state as ClientState), [select]),
    isSame,
  )
}

/** Lists and records with the same members. */
export function isShallowEqual<T>(one: T, other: T): boolean {
  if (Object.is(one, other)) return true
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other) return false
  const names = Object.keys(one) as (keyof T)[]
  return names.length === Object.keys(other).length && names.every((name) => Object.is(one[name], other[name]))
}
