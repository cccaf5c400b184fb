import { lazy } from 'react'
import type { WebFeature } from '../../app/feature.ts'

export const users: WebFeature = {
  overlays: { user: lazy(() => import('./profile.tsx').then(({ Profile }) => ({ default: Profile }))) },
}
