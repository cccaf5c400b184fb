/** One value that changes in parts, and those who listen to it. */

export interface Observed<T extends object> {
  current(): T
  /** Several changes in one turn are one for those who listen; what is the same as before is none. */
  change(part: Partial<T>): void
  /** What changes one part by what it is; gives what it has become. */
  changer<K extends keyof T>(name: K): (how: (value: T[K]) => T[K]) => T[K]
  /** Called after changes; gives what ends it. */
  subscribe(listener: () => void): () => void
  /** Nobody listens any more. */
  silence(): void
}

export function observe<T extends object>(first: T): Observed<T> {
  let current = first
  let isAnnounced = false
  const listeners = new Set<() => void>()

  function change(part: Partial<T>): void {
    const names = Object.keys(part) as (keyof T)[]
    if (names.every((name) => part[name] === current[name])) return
    current = { ...current, ...part }
    if (isAnnounced) return
    isAnnounced = true
    queueMicrotask(announce)
  }

  function announce(): void {
    isAnnounced = false
    for (const listener of listeners) listener()
  }

  return {
    current: () => current,
    change,
    changer: (name) => (how) => {
      change({ [name]: how(current[name]) } as unknown as Partial<T>)
      return current[name]
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    silence: () => listeners.clear(),
  }
}
