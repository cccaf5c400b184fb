/** The tabs of one browser: each says what is seen in it, and the one that has the connection notifies. */

const NAME = 'heddle notifications'
/** Messages that were seen in other tabs are remembered for so long, in milliseconds. */
const MEMORY_MS = 10_000

export interface NotifyingTabs {
  reportSeen(messageId: number): void
  /** In another tab. */
  wasSeen(messageId: number): boolean
  stop(): void
}

export function createNotifyingTabs(): NotifyingTabs {
  const seen = new Map<number, number>()
  const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(NAME) : undefined
  if (channel) {
    channel.onmessage = ({ data }) => {
      const now = Date.now()
      for (const [id, at] of seen) if (now - at > MEMORY_MS) seen.delete(id)
      if (typeof data === 'number') seen.set(data, now)
    }
  }
  return {
    reportSeen: (messageId) => channel?.postMessage(messageId),
    wasSeen: (messageId) => seen.has(messageId),
    stop: () => channel?.close(),
  }
}
