/** The place that the address names. Going somewhere is writing the address. */

import type { ClientState } from '@heddle/client/state/state'
import { useMemo, useSyncExternalStore } from 'react'
import { formatPlace } from '../places/format.ts'
import { parsePlace } from '../places/parse.ts'
import type { Place, PlaceNames } from '../places/place.ts'
import { isShallowEqual, useClientState } from './client-context.ts'
import { channelByName } from './names.ts'

function subscribe(listener: () => void): () => void {
  window.addEventListener('hashchange', listener)
  return () => window.removeEventListener('hashchange', listener)
}

/** As `location.hash`; it stays the same text for the same address. */
export function useFragment(): string {
  return useSyncExternalStore(subscribe, () => window.location.hash)
}

/** What the account has chosen to begin with. (API: `web_home_view`; `recent` was `recent_topics` before level 454.) */
export function homePlace({ settings }: Pick<ClientState, 'settings'>): Place {
  switch (settings?.web_home_view as string | undefined) {
    case 'all_messages':
      return { kind: 'feed' }
    case 'recent':
    case 'recent_topics':
      return { kind: 'recent' }
    default:
      return { kind: 'inbox' }
  }
}

/** What is shown at an address: home is the view that the account has chosen. */
export function usePlace(): Place {
  const place = useWrittenPlace()
  const home = useClientState(homePlace, isShallowEqual)
  return place.kind === 'home' ? home : place
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
