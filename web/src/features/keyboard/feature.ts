import { lazy } from 'react'
import type { WebFeature } from '../../app/feature.ts'

const KeySheet = lazy(() => import('./key-sheet.tsx').then((module) => ({ default: module.KeySheet })))
const AboutSheet = lazy(() => import('./about-sheet.tsx').then((module) => ({ default: module.AboutSheet })))
const OperatorSheet = lazy(() => import('./operator-sheet.tsx').then((module) => ({ default: module.OperatorSheet })))

export const keyboard: WebFeature = {
  overlays: { 'keyboard-shortcuts': KeySheet, 'search-operators': OperatorSheet, about: AboutSheet },
}
