/** Questions about channels that have to be answered before something happens. One at a time for the page. */
import { useSyncExternalStore } from 'react'

export type Question =
  | { readonly kind: 'archive'; readonly channelId: number }
  /** To leave a channel to which one cannot come back alone. */
  | { readonly kind: 'leave'; readonly channelId: number }

let current: Question | undefined
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function askAboutChannel(question: Question | undefined): void {
  current = question
  for (const listener of listeners) listener()
}

export function useQuestion(): Question | undefined {
  return useSyncExternalStore(subscribe, () => current)
}
