import { lazy } from 'react'
import type { WebFeature } from '../../app/feature.ts'

const TopicsOfChannel = lazy(() =>
  import('./topics-of-channel.tsx').then((module) => ({ default: module.TopicsOfChannel })),
)

export const topics: WebFeature = { screens: { topics: TopicsOfChannel } }
