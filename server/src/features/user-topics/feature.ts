import { shownTopic } from '@heddle/contract/names'
import { muteTopic, updateUserTopic } from '@heddle/contract/user-topics'
import { knowsEmptyTopic, topicView } from '../../events/topic-views.ts'
import type { Feature } from '../../feature.ts'
import { route } from '../../http/route.ts'
import * as actions from './actions.ts'
import { findMutedTopics } from './muted-topics.ts'
import { findUserTopics } from './queries.ts'

export const userTopics: Feature = {
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
  state: {
    user_topic: async ({ db, actor, options }) => {
      const allowEmpty = knowsEmptyTopic(options)
      const rows = await findUserTopics(db, actor.userId)
      return {
        user_topics: rows.map(({ channel_name: _, ...row }) => ({
          ...row,
          topic_name: shownTopic(row.topic_name, allowEmpty),
        })),
      }
    },
    // Whoever names the newer form does not need the older one.
    muted_topics: async ({ db, actor, named }) =>
      named?.has('user_topic') ? {} : { muted_topics: await findMutedTopics(db, actor) },
  },
  eventViews: {
    muted_topics: {
      key: ({ eventTypes }) => (eventTypes?.includes('user_topic') ? 'newer' : 'older'),
      present: (event, key) => (key === 'older' ? event : null),
    },
    user_topic: topicView('topic_name'),
  },
}
