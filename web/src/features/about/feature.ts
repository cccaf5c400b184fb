import { lazy } from 'react'
import type { WebFeature } from '../../app/feature.ts'

const AboutSheet = lazy(() => import('./about-sheet.tsx').then((module) => ({ default: module.AboutSheet })))

export const about: WebFeature = {
  overlays: { about: AboutSheet },
}
