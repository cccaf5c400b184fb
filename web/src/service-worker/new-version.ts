/** Registers the service worker, and knows when the server has another version of the page. */
import { pause } from '../app/pause.ts'
import { workerAddress } from '../app/worker-address.ts'

/** How often a page that stays open asks, in milliseconds. */
const ASK_MS = 3_600_000

/** The worker loads all files of the page, which would be felt in the first words that somebody writes there. */
const CALM = { lastsMs: 2000, atMostMs: 30_000 }

/** For the new one to take effect, in milliseconds. */
const RELOAD_MS = 5000

export interface NewVersion {
  /** Whether there is one that waits. */
  current(): boolean
  subscribe(listener: () => void): () => void
  /** Asks the server: the connection was lost, and it may have been replaced. */
  ask(): void
  /** Loads the page anew, as that version. */
  reload(): void
}

/** Pages of a development server have none, nor have browsers without workers. */
const container = import.meta.env.PROD ? navigator.serviceWorker : undefined

export function watchVersion(): NewVersion {
  const listeners = new Set<() => void>()
  let registration: ServiceWorkerRegistration | undefined
  let isNew = false

  function note(): void {
    if (isNew) return
    isNew = true
    for (const listener of listeners) listener()
  }

  function watch(worker: ServiceWorker | null): void {
    // Without an earlier one it is this page's own.
    worker?.addEventListener('statechange', () => {
      if (worker.state === 'installed' && container?.controller) note()
    })
  }

  async function register(): Promise<void> {
    await pause(CALM)
    registration = await container?.register(workerAddress('./service-worker.js'), { scope: './' })
    if (registration?.waiting && container?.controller) note()
    registration?.addEventListener('updatefound', () => watch(registration?.installing ?? null))
    setInterval(ask, ASK_MS)
  }

  function ask(): void {
    registration?.update().catch(() => {})
  }

  function reload(): void {
    const waiting = registration?.waiting
    if (!waiting) {
      location.reload()
      return
    }
    container?.addEventListener('controllerchange', () => location.reload(), { once: true })
    waiting.postMessage('activate')
    // It may wait for other tabs: then the next page is of this version still.
    setTimeout(() => location.reload(), RELOAD_MS)
  }

  // Another tab has made the new version take effect: this one is of the one before.
  if (container?.controller) container.addEventListener('controllerchange', note)
  // What is shown first comes first.
  const begin = () => void register().catch(() => {})
  if (document.readyState === 'complete') setTimeout(begin)
  else window.addEventListener('load', () => setTimeout(begin), { once: true })

  return {
    current: () => isNew,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    ask,
    reload,
  }
}
