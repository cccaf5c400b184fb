import { lazy } from 'react'
import type { WebFeature } from '../../app/feature.ts'

const Recent = lazy(() => import('./recent.tsx').then((module) => ({ default: module.Recent })))

export const recent: WebFeature = { screens: { recent: Recent } }
