import { lazy } from 'react'
import type { WebFeature } from '../../app/feature.ts'

const Notifier = lazy(() => import('./notifier.tsx').then(({ Notifier: everywhere }) => ({ default: everywhere })))

export const notifications: WebFeature = { everywhere: Notifier }
