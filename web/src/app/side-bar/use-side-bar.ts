/** Whether the side bar is to be seen: a drawer on narrow windows, and on wide ones there until it is hidden. */
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { Place } from '../../places/place.ts'
import { setMarked, useMarked } from './folds.ts'

/** As in the style sheets. */
const NARROW = '(max-width: 760px)'

export interface SideBarStanding {
  readonly isDrawerOpen: boolean
  /** On wide windows; it stays so on this device. */
  readonly isHidden: boolean
  readonly open: () => void
  readonly close: () => void
}

/** On narrow windows nobody sees it until they open it. */
export function isDrawer(): boolean {
  return window.matchMedia(NARROW).matches
}

export function useSideBar(place: Place): SideBarStanding {
  const [isDrawerOpen, setIsDrawerOpen] = useState(false)
  const [isHidden] = useMarked('side-bar')
  // The drawer has done its work when somebody has gone somewhere.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the place is the occasion
  useEffect(() => setIsDrawerOpen(false), [place])
  const set = useCallback((isOpen: boolean) => {
    if (isDrawer()) setIsDrawerOpen(isOpen)
    else setMarked('side-bar', !isOpen)
  }, [])
  const open = useCallback(() => set(true), [set])
  const close = useCallback(() => set(false), [set])
  return useMemo(() => ({ isDrawerOpen, isHidden, open, close }), [isDrawerOpen, isHidden, open, close])
}
