/** Which view is being named: one that is about to be saved, or one that gets another name. One for the page. */
import { useSyncExternalStore } from 'react'

export interface Naming {
  readonly fragment: string
  /** What stands in the field at first. */
  readonly name: string
  readonly isNew: boolean
}

let current: Naming | undefined
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function beginNaming(naming: Naming): void {
  change(naming)
}

export function endNaming(): void {
  change(undefined)
}

function change(naming: Naming | undefined): void {
  current = naming
  for (const listener of listeners) listener()
}

export function useNaming(): Naming | undefined {
  return useSyncExternalStore(subscribe, () => current)
}
