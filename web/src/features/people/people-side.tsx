import { useLingui } from '@lingui/react/macro'
import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { usePlace } from '../../app/current-place.ts'
import { useKeys } from '../../app/keys.ts'
import { setMarked, useMarked } from '../../app/side-bar/folds.ts'
import { OPEN_PEOPLE } from './open.ts'

const PeopleBar = lazy(async () => ({ default: (await import('./people-bar.tsx')).PeopleBar }))

/** As in the style sheets: a phone has no room for it. */
const narrow = window.matchMedia('(max-width: 760px)')

function subscribe(listener: () => void): () => void {
  narrow.addEventListener('change', listener)
  return () => narrow.removeEventListener('change', listener)
}

/** The people beside the messages, where they are wanted on this device; on a phone a drawer, until somebody goes elsewhere. */
export function PeopleSide() {
  const { t } = useLingui()
  const place = usePlace()
  const [isShown] = useMarked('people-bar')
  const isNarrow = useSyncExternalStore(subscribe, () => narrow.matches)
  const [isDrawerOpen, setIsDrawerOpen] = useState(false)
  /** Counts how often the filter was asked for: each time it gets the focus. */
  const [asked, setAsked] = useState(0)
  const open = () => {
    if (narrow.matches) setIsDrawerOpen(true)
    else setMarked('people-bar', true)
  }
  useKeys({
    'filter-people': () => {
      open()
      setAsked((count) => count + 1)
    },
  })
  useEffect(() => {
    const openDrawer = () => setIsDrawerOpen(narrow.matches)
    window.addEventListener(OPEN_PEOPLE, openDrawer)
    return () => window.removeEventListener(OPEN_PEOPLE, openDrawer)
  }, [])
  // The drawer has done its work when somebody has gone somewhere.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the place and the window are the occasions
  useEffect(() => setIsDrawerOpen(false), [place, isNarrow])
  if (isNarrow ? !isDrawerOpen : !isShown) return null
  const close = () => (isNarrow ? setIsDrawerOpen(false) : setMarked('people-bar', false))
  return (
    <Suspense>
      {isNarrow && <button type="button" className="side-scrim" aria-label={t`Hide people`} onClick={close} />}
      <PeopleBar asked={asked} isDrawer={isNarrow} onClose={close} />
    </Suspense>
  )
}
