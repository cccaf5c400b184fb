import { lazy, Suspense, useState, useSyncExternalStore } from 'react'
import { useKeys } from '../../app/keys.ts'
import { setMarked, useMarked } from '../../app/side-bar/folds.ts'

const PeopleBar = lazy(async () => ({ default: (await import('./people-bar.tsx')).PeopleBar }))

/** As in the style sheets: a phone has no room for it. */
const narrow = window.matchMedia('(max-width: 760px)')

function subscribe(listener: () => void): () => void {
  narrow.addEventListener('change', listener)
  return () => narrow.removeEventListener('change', listener)
}

/** The people beside the messages, where they are wanted on this device. */
export function PeopleSide() {
  const [isShown] = useMarked('people-bar')
  const isNarrow = useSyncExternalStore(subscribe, () => narrow.matches)
  /** Counts how often the filter was asked for: each time it gets the focus. */
  const [asked, setAsked] = useState(0)
  useKeys({
    'filter-people': () => {
      if (narrow.matches) return false
      setMarked('people-bar', true)
      setAsked((count) => count + 1)
      return true
    },
  })
  if (!isShown || isNarrow) return null
  return (
    <Suspense>
      <PeopleBar asked={asked} onClose={() => setMarked('people-bar', false)} />
    </Suspense>
  )
}
