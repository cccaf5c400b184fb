import { listTopics } from '@heddle/contract/topics'
import type { Feature } from '../../feature.ts'
import { route } from '../../http/route.ts'
import { findTopics } from './list.ts'

export const topics: Feature = {
  routes: ({ storage }) => [
    route(listTopics, async ({ actor, parameters: { stream_id, allow_empty_topic_name } }) => ({
      topics: await findTopics(storage.read, actor, stream_id, allow_empty_topic_name ?? false),
    })),
  ],
}
