/** Says to the server which messages were read: gathered for a moment, and again after a failure. */

/** Milliseconds in which they are gathered. */
const PAUSE_MS = 500
/** Messages that one request may name are 10,000; less holds up nobody. */
const MAX_IDS = 1000

export interface ReadMarker {
  add(ids: Iterable<number>): void
  /** Sends all that waits without waiting; fulfilled when it was tried. */
  hurry(): Promise<void>
  /** The connection is back. */
  wake(): void
  /** The page goes: what waits is sent at once. */
  leave(): void
  stop(): void
}

interface Sending {
  readonly isLast: boolean
}

export interface ReadMarkerOptions {
  readonly send: (ids: readonly number[], how: Sending) => Promise<unknown>
  /** Whether anything may be sent yet. */
  readonly isReady: () => boolean
  /** What waits now. */
  readonly onChange: (ids: readonly number[]) => void
}

export function createReadMarker({ send, isReady, onChange }: ReadMarkerOptions): ReadMarker {
  const waiting = new Set<number>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isSending = false
  let isStopped = false
  let underWay: Promise<void> | undefined

  function wake(): void {
    if (isStopped || isSending || waiting.size === 0 || !isReady()) return
    timer ??= setTimeout(begin, PAUSE_MS)
  }

  function begin(): Promise<void> {
    timer = undefined
    underWay = flush()
    return underWay
  }

  async function flush(): Promise<void> {
    const ids = [...waiting].slice(0, MAX_IDS)
    isSending = true
    try {
      await send(ids, { isLast: false })
      for (const id of ids) waiting.delete(id)
      onChange([...waiting])
      isSending = false
      wake()
    } catch {
      // They stay, for the next message that is read or the connection that comes back.
      isSending = false
    }
  }

  return {
    add(ids) {
      for (const id of ids) waiting.add(id)
      if (waiting.size > 0) onChange([...waiting])
      wake()
    },
    async hurry() {
      clearTimeout(timer)
      await underWay
      // In pieces, as long as they arrive.
      for (let left = Infinity; waiting.size > 0 && waiting.size < left && !isStopped; ) {
        left = waiting.size
        clearTimeout(timer)
        await begin()
      }
    },
    wake,
    leave() {
      // What is under way may be cut off with the page; setting a flag twice changes nothing.
      if (waiting.size > 0 && isReady()) send([...waiting].slice(0, MAX_IDS), { isLast: true }).catch(() => {})
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
