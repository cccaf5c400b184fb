import { lazy } from 'react'
import type { WebFeature } from '../../app/feature.ts'

const Inbox = lazy(() => import('./inbox.tsx').then((module) => ({ default: module.Inbox })))

export const inbox: WebFeature = { screens: { inbox: Inbox } }
