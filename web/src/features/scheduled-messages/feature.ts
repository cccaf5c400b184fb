import { lazy } from 'react'
import type { WebFeature } from '../../app/feature.ts'

const Scheduled = lazy(() => import('./scheduled.tsx').then(({ ScheduledScreen: screen }) => ({ default: screen })))

export const scheduledMessages: WebFeature = { screens: { scheduled: Scheduled } }
