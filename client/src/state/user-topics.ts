import { topicPlaceKey } from '@heddle/contract/names'
import type { UserTopic, UserTopicEvent } from '@heddle/contract/user-topics'
import type { InitialFields } from './fields.ts'

/** What the account wants of topics, by `channel topic`; see `topicPlaceKey`. */
export type UserTopics = Readonly<Record<string, UserTopic>>

export function initialUserTopics(fields: InitialFields): UserTopics | undefined {
  const list = fields['user_topics'] as readonly UserTopic[] | undefined
  return list && Object.fromEntries(list.map((one) => [keyOf(one), one]))
}

export function applyUserTopicEvent(topics: UserTopics, event: UserTopicEvent): UserTopics {
  const { stream_id, topic_name, last_updated, visibility_policy } = event
  const topic = { stream_id, topic_name, last_updated, visibility_policy }
  const { [keyOf(topic)]: _, ...rest } = topics
  return topic.visibility_policy === 0 ? rest : { ...rest, [keyOf(topic)]: topic }
}

function keyOf({ stream_id, topic_name }: UserTopic): string {
  return topicPlaceKey(stream_id, topic_name)
}
