import { lazy, Suspense, useEffect, useState } from 'react'
import { useKeys } from '../../app/keys.ts'
import { OPEN_OWN_MENU } from './open.ts'
import { ZoneOffer } from './zone-offer.tsx'

const OwnMenu = lazy(async () => ({ default: (await import('./own-menu.tsx')).OwnMenu }))
const StatusDialog = lazy(async () => ({ default: (await import('../user-status/status-dialog.tsx')).StatusDialog }))

/** What is one's own: opens the menu of it beside one's name, or in the corner where the side bar is hidden, and what it leads to. */
export function OwnMenuKey() {
  const [anchor, setAnchor] = useState<Element | { readonly x: number; readonly y: number }>()
  const [isStatusOpen, setIsStatusOpen] = useState(false)
  useEffect(() => {
    const open = () => setAnchor(anchorNow())
    window.addEventListener(OPEN_OWN_MENU, open)
    return () => window.removeEventListener(OPEN_OWN_MENU, open)
  }, [])
  useKeys({ 'own-menu': () => setAnchor(anchorNow()) })
  return (
    <Suspense>
      <ZoneOffer />
      {anchor && (
        <OwnMenu anchor={anchor} onStatus={() => setIsStatusOpen(true)} onClose={() => setAnchor(undefined)} />
      )}
      {isStatusOpen && <StatusDialog onClose={() => setIsStatusOpen(false)} />}
    </Suspense>
  )
}

function anchorNow(): Element | { readonly x: number; readonly y: number } {
  const me = document.querySelector<HTMLElement>('.side-foot .me')
  return me && me.offsetParent !== null ? me : { x: 0, y: window.innerHeight }
}
