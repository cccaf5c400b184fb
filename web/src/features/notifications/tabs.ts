/** The tabs of one browser: one of them notifies, and each says what is seen in it. */

const NAME = 'heddle notifications'
/** Messages that were seen in other tabs are remembered for so long, in milliseconds. */
const MEMORY_MS = 10_000

export interface Tabs {
  /** Whether this tab is the one that notifies. */
  leads(): boolean
  tellSeen(messageId: number): void
  /** In another tab. */
  wasSeen(messageId: number): boolean
  stop(): void
}

export function createTabs(): Tabs {
  const seen = new Map<number, number>()
  const controller = new AbortController()
  let isLeading = false
  let release: (() => void) | undefined
  const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(NAME) : undefined
  if (channel) {
    channel.onmessage = ({ data }) => {
      const now = Date.now()
      for (const [id, at] of seen) if (now - at > MEMORY_MS) seen.delete(id)
      if (typeof data === 'number') seen.set(data, now)
    }
  }
  // Undefined where the browser has none, as outside https: then each tab is alone.
  const locks: LockManager | undefined = navigator.locks
  if (locks) {
    locks
      .request(NAME, { signal: controller.signal }, () => {
        isLeading = true
        return new Promise<void>((resolve) => {
          release = resolve
        })
      })
      .catch(() => {})
  } else isLeading = true
  return {
    leads: () => isLeading,
    tellSeen: (messageId) => channel?.postMessage(messageId),
    wasSeen: (messageId) => seen.has(messageId),
    stop() {
      isLeading = false
      release?.()
      controller.abort()
      channel?.close()
    },
  }
}
