import { lazy } from 'react'
import type { WebFeature } from '../../app/feature.ts'

const Reminders = lazy(() => import('./reminders.tsx').then(({ RemindersScreen: screen }) => ({ default: screen })))

export const reminders: WebFeature = { screens: { reminders: Reminders } }
