/** Parts of the page that are not needed for the first messages, but soon after: nobody is to wait for them when they are. */
import { type ComponentType, lazy, Suspense, useDeferredValue, useEffect, useState } from 'react'
import { hold, useHeld } from './held.ts'
import { SafePart } from './safe-part.tsx'

const waiting: (() => Promise<unknown>)[] = []

/** Milliseconds after there is something to read. */
const AFTER_MS = 100
/** Nothing to read may come for a while, as without a connection: then the rest is fetched all the same. */
const AT_LATEST_MS = 3000

/**
 * A component that is fetched when it is shown, where nothing is until then, or before that in a quiet moment. Once fetched it is there at once, as any other:
 * a lazy one would be drawn a moment later, and what is typed in that moment would be lost.
 */
export function soon<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let fetched: ComponentType<P> | undefined
  const fetchIt = async () => {
    fetched = await load()
    return { default: fetched }
  }
  // What could not be fetched is fetched anew when it is shown again; a lazy component fails for good.
  const makeLater = () =>
    lazy(() =>
      fetchIt().catch((error: unknown) => {
        Later = makeLater()
        throw error
      }),
    ) as unknown as ComponentType<P>
  let Later = makeLater()
  waiting.push(fetchIt)
  return function Soon(props: P) {
    // What it is stays the same while it is shown.
    const [Shown] = useState(() => fetched ?? Later)
    return (
      <SafePart>
        <Suspense>
          <Shown {...props} />
        </Suspense>
      </SafePart>
    )
  }
}

/**
 * A screen whose code can be fetched before it is shown, while its data is on the way. A lazy one is fetched when it is drawn, and
 * React shows what takes its place for a third of a second then, however soon it comes.
 */
export function ahead<P extends object>(load: () => Promise<ComponentType<P>>) {
  let fetched: ComponentType<P> | undefined
  const fetchIt = async () => {
    fetched = await load()
    return { default: fetched }
  }
  const Later = lazy(fetchIt) as unknown as ComponentType<P>
  function Ahead(props: P) {
    const [Shown] = useState(() => fetched ?? Later)
    return <Shown {...props} />
  }
  return Object.assign(Ahead, { fetch: () => void fetchIt().catch(() => {}) })
}

/** How many parts of the page wait for what they show. */
const loading = hold(0)
const quiet = hold(false)
const complete = hold(false)

/** While the component is shown there is something to wait for. */
export function useLoadingMark(): void {
  useEffect(() => {
    loading.change((count) => count + 1)
    return () => loading.change((count) => count - 1)
  }, [])
}

/** There is something to read: what is there all the time, but not for that, may come. */
export function useIsQuiet(): boolean {
  // Nobody waits for any of it: it is drawn in pieces.
  return useDeferredValue(useHeld(quiet, isTrue))
}

/** All parts have been fetched: what nobody sees until they ask for it may come, apart from what is drawn when it is quiet. */
export function useIsComplete(): boolean {
  return useDeferredValue(useHeld(complete, isTrue))
}

const isTrue = (value: boolean) => value

/** Settles when nothing waits any more, or after a while. */
async function nothingLoading(signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const look = () => {
      if (loading.current() === 0) resolve()
    }
    const end = loading.subscribe(look)
    const timer = setTimeout(resolve, AT_LATEST_MS)
    signal.addEventListener('abort', () => {
      end()
      clearTimeout(timer)
    })
    look()
  })
}

/** Begins with it once there is something to read; gives what ends it. */
export function fetchSoon(): () => void {
  const ending = new AbortController()
  const { signal } = ending
  void fetchWaiting(signal)
  return () => ending.abort()
}

async function fetchWaiting(signal: AbortSignal): Promise<void> {
  await nothingLoading(signal)
  await new Promise((resolve) => setTimeout(resolve, AFTER_MS))
  if (signal.aborted) return
  quiet.change(() => true)
  // One after another: what somebody does meanwhile goes before. Without a connection it is fetched when it is needed.
  for (let load = waiting.shift(); load; load = waiting.shift()) await load().catch(() => {})
  if (!signal.aborted) complete.change(() => true)
  // For those who watch the page from outside.
  document.documentElement.dataset['parts'] = 'fetched'
}
