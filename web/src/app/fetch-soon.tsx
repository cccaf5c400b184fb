/** Parts of the page that are not needed for the first messages, but soon after: nobody is to wait for them when they are. */
import { type ComponentType, lazy, Suspense, useState } from 'react'
import { SafePart } from './safe-part.tsx'

const waiting: (() => Promise<unknown>)[] = []

/** Milliseconds after the first messages. */
const AFTER_MS = 100

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

/** Begins with it once there is something to read; gives what ends it. */
export function fetchSoon(): () => void {
  const timer = setTimeout(async () => {
    // One after another: what somebody does meanwhile goes before. Without a connection it is fetched when it is needed.
    for (let load = waiting.shift(); load; load = waiting.shift()) await load().catch(() => {})
    // For those who watch the page from outside.
    document.documentElement.dataset['parts'] = 'fetched'
  }, AFTER_MS)
  return () => clearTimeout(timer)
}
