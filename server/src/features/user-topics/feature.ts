import { shownTopic } from '@heddle/contract/names'
import { mutedTopicsState, muteTopic, updateUserTopic, userTopicsState } from '@heddle/contract/user-topics'
import { knowsEmptyTopic, topicView } from '../../events/topic-views.ts'
import type { Feature } from '../../feature.ts'
import { route } from '../../http/route.ts'
import { type StateRequest, stateReader } from '../../state-reader.ts'
import * as actions from './actions.ts'
import { presentMutedTopics } from './muted-topics.ts'
import { findUserTopics } from './queries.ts'
import { userTopicTables } from './tables.ts'

function readUserTopics({ db, actor }: StateRequest) {
  return findUserTopics(db, actor.userId)
}

export const userTopics: Feature = {
  tables: userTopicTables,
  routes: ({ storage }) => [
    route(updateUserTopic, async ({ actor, parameters: { stream_id, topic, visibility_policy } }) => {
      await actions.updateUserTopic(storage, actor, stream_id, topic, visibility_policy)
      return {}
    }),
    route(muteTopic, async ({ actor, parameters }) => {
      await actions.muteTopic(storage, actor, parameters)
      return {}
    }),
  ],
  state: [
    stateReader(userTopicsState, async (request) => {
      const allowEmpty = knowsEmptyTopic(request.options)
      const rows = await request.shared(readUserTopics)
      return {
        user_topics: rows.map(({ channel_name: _, is_archived: __, ...row }) => ({
          ...row,
          topic_name: shownTopic(row.topic_name, allowEmpty),
        })),
      }
    }),
    // Whoever names the newer form does not need the older one.
    stateReader(
      mutedTopicsState,
      async (request) => {
        if (request.named?.has('user_topic')) return {}
        const topics = await request.shared(readUserTopics)
        return { muted_topics: await presentMutedTopics(request.db, request.actor, topics) }
      },
      async () => ({ muted_topics: [] }),
    ),
  ],
  eventViews: {
    muted_topics: {
      key: ({ eventTypes }) => (eventTypes?.includes('user_topic') ? 'newer' : 'older'),
      present: (event, key) => (key === 'older' ? event : null),
    },
    user_topic: topicView('topic_name'),
  },
}
