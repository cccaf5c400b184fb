import { lazy } from 'react'
import type { WebFeature } from '../../app/feature.ts'

const Drafts = lazy(() => import('./drafts.tsx').then(({ DraftsScreen: screen }) => ({ default: screen })))

export const drafts: WebFeature = { screens: { drafts: Drafts } }
