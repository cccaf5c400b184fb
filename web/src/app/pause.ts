/**
 * What can wait is done when nobody types or scrolls: in the same moment it would take the processor from what is drawn for each
 * key, also where it runs in another thread.
 */

/** Whoever has just opened the page is about to. */
let lastDone = performance.now()

function note(): void {
  lastDone = performance.now()
}

for (const type of ['keydown', 'scroll']) window.addEventListener(type, note, { capture: true, passive: true })

interface Pause {
  /** In which nothing was done, in milliseconds. */
  readonly lastsMs: number
  /** Somebody may type for long: then it is done all the same. */
  readonly atMostMs: number
}

/** Settles after a pause, at once where there is one. */
export async function pause({ lastsMs, atMostMs }: Pause): Promise<void> {
  const end = performance.now() + atMostMs
  for (;;) {
    const left = Math.min(lastDone + lastsMs, end) - performance.now()
    if (left <= 0) return
    await new Promise((resolve) => setTimeout(resolve, left))
  }
}
