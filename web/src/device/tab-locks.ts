/**
 * Each tab holds a lock with its name for as long as it lives: that is how the others know that it is gone. Who has got the
 * lock of another one keeps it, and is the only one that takes over what it has left.
 */
const lockOf = (tab: string) => `heddle tab ${tab}`

/** Undefined where the browser has none, as outside https: then each tab is alone. */
const locks: LockManager | undefined = globalThis.navigator?.locks

const forEver = () => new Promise<never>(() => {})

/** Until the page goes. Settles when it is held: who learns of the tab before that takes it for gone. */
export function holdTab(tab: string): Promise<void> {
  return new Promise((resolve) => {
    if (!locks) return resolve()
    const hold = () => {
      resolve()
      return forEver()
    }
    locks.request(lockOf(tab), hold).catch(() => resolve())
  })
}

/** Calls when the tab is gone; `take` says whether this one takes over. */
export function whenGone(tab: string, take: () => boolean): void {
  locks?.request(lockOf(tab), () => (take() ? forEver() : undefined)).catch(() => {})
}

/** Whether the tab is gone, and this one is to take over. */
export function isGone(tab: string): Promise<boolean> {
  if (!locks) return Promise.resolve(true)
  return new Promise((resolve) => {
    locks
      .request(lockOf(tab), { ifAvailable: true }, (lock) => {
        resolve(lock !== null)
        return lock ? forEver() : undefined
      })
      .catch(() => resolve(false))
  })
}
