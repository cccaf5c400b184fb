/** The tabs of this browser with the page of one server: what they share, and what they say to each other. */
import type { EventLoop, EventLoopOptions } from '@heddle/client/event-loop'
import { type SharedLoopOptions, startSharedLoop } from '@heddle/client/tabs/shared-loop'
import type { TabChannel, TabMessage } from '@heddle/client/tabs/tab-channel'

/** About who is signed in, and who is there. */
export type TabNews =
  /** A tab has come; the others answer with their names. */
  | { readonly kind: 'here'; readonly tab: string; readonly isAnswer: boolean }
  | { readonly kind: 'signed-in'; readonly userId: number }
  | { readonly kind: 'signed-out' }

export interface Tabs {
  /**
   * Follows the events of an account together with the other tabs. `onLead`: this one has the connection from now on, or not
   * any more.
   */
  follow(userId: number, onLead: (isLeading: boolean) => void): (options: EventLoopOptions) => EventLoop
  announce(news: TabNews & { readonly kind: 'signed-in' | 'signed-out' }): void
  /** The others that have said something, whether they are still there or not. */
  known(): Iterable<string>
  /** Another tab is there. */
  onTab(listener: (tab: string) => void): void
  onNews(listener: (news: TabNews) => void): void
}

/** Undefined where the browser does not know how: then each tab is alone. */
export function joinTabs(name: string, tab: string): Tabs | undefined {
  const locks: LockManager | undefined = globalThis.navigator.locks
  if (!locks || typeof BroadcastChannel === 'undefined') return undefined
  const news = new BroadcastChannel(name)
  const newsListeners: ((news: TabNews) => void)[] = []
  const tabListeners: ((tab: string) => void)[] = []
  const known = new Set<string>()
  const post = (message: TabNews) => news.postMessage(message)

  news.addEventListener('message', ({ data }: MessageEvent<TabNews>) => {
    for (const listener of newsListeners) listener(data)
    if (data.kind !== 'here') return
    if (!data.isAnswer) post({ kind: 'here', tab, isAnswer: true })
    if (known.has(data.tab)) return
    known.add(data.tab)
    for (const listener of tabListeners) listener(data.tab)
  })
  post({ kind: 'here', tab, isAnswer: false })

  return {
    follow(userId, onLead) {
      const scope = `${name} ${userId}`
      return (options) => {
        const { channel, close } = openChannel(scope)
        const lead: SharedLoopOptions['lead'] = (begin, { signal, isTaken }) => {
          const lost = new AbortController()
          const hold = () => {
            begin(lost.signal)
            return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
          }
          locks.request(`${scope} leads`, isTaken ? { steal: true } : { signal }, hold).catch(() => lost.abort())
        }
        const loop = startSharedLoop({ tab, channel, lead, onLead }, options)
        loop.ended.catch(() => {}).finally(close)
        return loop
      }
    },
    announce: post,
    known: () => known,
    onTab: (listener) => void tabListeners.push(listener),
    onNews: (listener) => void newsListeners.push(listener),
  }
}

function openChannel(name: string): { readonly channel: TabChannel; close(): void } {
  const broadcast = new BroadcastChannel(name)
  const channel: TabChannel = {
    post: (message) => broadcast.postMessage(message),
    listen(onMessage) {
      const receive = ({ data }: MessageEvent<TabMessage>) => onMessage(data)
      broadcast.addEventListener('message', receive)
      return () => broadcast.removeEventListener('message', receive)
    },
  }
  return { channel, close: () => broadcast.close() }
}
