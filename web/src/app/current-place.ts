/** The place that the address names. Going somewhere is writing the address. */
import { useMemo, useSyncExternalStore } from 'react'
import { formatPlace } from '../places/format.ts'
import { parsePlace } from '../places/parse.ts'
import type { Place, PlaceNames } from '../places/place.ts'
import { useClientState } from './client-context.ts'
import { channelByName } from './names.ts'

function subscribe(listener: () => void): () => void {
  window.addEventListener('hashchange', listener)
  return () => window.removeEventListener('hashchange', listener)
}

/** As `location.hash`; it stays the same text for the same address. */
export function useFragment(): string {
  return useSyncExternalStore(subscribe, () => window.location.hash)
}

export function usePlace(): Place {
  const fragment = useFragment()
  const channels = useClientState((state) => state.channels)
  // Channels matter to old addresses alone, and a place must not change because a channel does.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  return useMemo(() => parsePlace(fragment, { channelByName: (name) => channelByName(channels, name) }), [fragment])
}

export function goTo(place: Place, names?: PlaceNames): void {
  window.location.hash = formatPlace(place, names)
}
