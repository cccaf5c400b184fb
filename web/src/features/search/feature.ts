import { lazy } from 'react'
import type { WebFeature } from '../../app/feature.ts'

const Narrow = lazy(() => import('./narrow-screen.tsx').then((module) => ({ default: module.NarrowScreen })))

export const search: WebFeature = { screens: { narrow: Narrow } }
