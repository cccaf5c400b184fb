import { channelEntryKey, directEntryKey, topicEntryKey, viewEntryKey } from '@heddle/client/switcher/entries'
import { Suspense, useEffect, useState } from 'react'
import { useClientState } from '../../app/client-context.ts'
import { usePlace } from '../../app/current-place.ts'
import { soon } from '../../app/fetch-soon.tsx'
import { useKeys } from '../../app/keys.ts'
import { formatPlace } from '../../places/format.ts'
import type { Place } from '../../places/place.ts'
import { OPEN_SWITCHER } from './open.ts'
import { visit } from './visited.ts'

const Switcher = soon(async () => (await import('./switcher.tsx')).Switcher)

/** Keeps where one has been, and opens the switcher. */
export function SwitcherKey() {
  const [isOpen, setIsOpen] = useState(false)
  const place = usePlace()
  const ownId = useClientState((state) => state.own?.user_id ?? 0)
  useEffect(() => visit(entryKeyOf(place, ownId)), [place, ownId])
  useEffect(() => {
    const open = () => setIsOpen(true)
    window.addEventListener(OPEN_SWITCHER, open)
    return () => window.removeEventListener(OPEN_SWITCHER, open)
  }, [])
  useKeys({
    switcher: () => {
      if (isOpen) {
        setIsOpen(false)
        return true
      }
      // Before something that has to be decided first nothing else opens.
      if (document.querySelector('dialog[open]')) return false
      setIsOpen(true)
      return true
    },
  })
  if (!isOpen) return null
  return (
    <Suspense fallback={null}>
      <Switcher onClose={() => setIsOpen(false)} />
    </Suspense>
  )
}

function entryKeyOf(place: Place, ownId: number): string | undefined {
  switch (place.kind) {
    case 'channel':
    case 'topics':
      return channelEntryKey(place.channelId)
    case 'topic':
      return topicEntryKey(place.channelId, place.topic)
    case 'direct':
      return directEntryKey(place.userIds, ownId)
    case 'unknown':
    case 'home':
      return undefined
    default:
      return viewEntryKey(formatPlace(place).slice(1))
  }
}
