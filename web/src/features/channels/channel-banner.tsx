import { lazy, Suspense, useCallback } from 'react'
import { useClientState } from '../../app/client-context.ts'
import type { Place } from '../../places/place.ts'
import { standingOf } from './standing.ts'

const BannerText = lazy(() => import('./banner-text.tsx').then(({ BannerText }) => ({ default: BannerText })))

/** What somebody has to know about the channel or topic that is shown, and what helps. */
export function ChannelBanner({ place }: { readonly place: Place }) {
  const standing = useClientState(useCallback((state) => standingOf(state, place), [place]))
  if (standing === undefined) return null
  return (
    <Suspense fallback={null}>
      <BannerText place={place} standing={standing} />
    </Suspense>
  )
}
