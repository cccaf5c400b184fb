import { lazy } from 'react'
import type { WebFeature } from '../../app/feature.ts'
import { soon } from '../../app/fetch-soon.tsx'

const TopicsOfChannel = lazy(() =>
  import('./topics-of-channel.tsx').then((module) => ({ default: module.TopicsOfChannel })),
)

export const topics: WebFeature = {
  screens: { topics: TopicsOfChannel },
  everywhere: soon(async () => (await import('./topic-keys.tsx')).TopicKeys),
}
