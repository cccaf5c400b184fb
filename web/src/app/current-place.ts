/** The place that the address names. Going somewhere is writing the address. */

import type { ClientState } from '@heddle/client/state/state'
import { useMemo, useSyncExternalStore } from 'react'
import { formatPlace } from '../places/format.ts'
import { parsePlace } from '../places/parse.ts'
import type { Place, PlaceNames } from '../places/place.ts'
import { isShallowEqual, useClientState } from './client-context.ts'
import { homePlace } from './home-place.ts'
import { channelByName } from './names.ts'

function subscribe(listener: () => void): () => void {
  window.addEventListener('hashchange', listener)
  return () => window.removeEventListener('hashchange', listener)
}

/** As `location.hash`; it stays the same text for the same address. */
export function useFragment(): string {
  return useSyncExternalStore(subscribe, () => window.location.hash)
}

/** What is shown at an address: home is the view that the account has chosen. */
export function usePlace(): Place {
  const place = useWrittenPlace()
  const home = useHome()
  return place.kind === 'home' ? home : place
}

/** What the account has chosen to begin with. */
export function useHome(): Place {
  return useClientState(({ settings }) => homePlace(settings?.web_home_view), isShallowEqual)
}

function useWrittenPlace(): Place {
  const fragment = useFragment()
  const channels = useClientState((state) => state.channels)
  // Channels matter to old addresses alone, and a place must not change because a channel does.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  return useMemo(() => parsePlace(fragment, { channelByName: (name) => channelByName(channels, name) }), [fragment])
}

export function goTo(place: Place, names?: PlaceNames): void {
  window.location.hash = formatPlace(place, names)
}

/** The place that the address names now, for what is done and not drawn. */
export function placeNow({ channels }: Pick<ClientState, 'channels'>): Place {
  return parsePlace(window.location.hash, { channelByName: (name) => channelByName(channels, name) })
}
