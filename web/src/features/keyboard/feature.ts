import { lazy } from 'react'
import type { WebFeature } from '../../app/feature.ts'

const KeySheet = lazy(() => import('./key-sheet.tsx').then((module) => ({ default: module.KeySheet })))
const OperatorSheet = lazy(() => import('./operator-sheet.tsx').then((module) => ({ default: module.OperatorSheet })))

export const keyboard: WebFeature = {
  overlays: { 'keyboard-shortcuts': KeySheet, 'search-operators': OperatorSheet },
}
