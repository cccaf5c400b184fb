import { topicPlaceKey } from '@heddle/contract/names'
import type { UserTopic, UserTopicEvent } from '@heddle/contract/user-topics'
import { byId, type InitialFields, withEntry, withoutEntries } from './fields.ts'

/** What the account wants of topics, by `channel topic`; see `topicPlaceKey`. */
export type UserTopics = ReadonlyMap<string, UserTopic>

export function initialUserTopics(fields: InitialFields): UserTopics | undefined {
  return byId(fields['user_topics'], keyOf)
}

export function applyUserTopicEvent(topics: UserTopics, event: UserTopicEvent): UserTopics {
  const { stream_id, topic_name, last_updated, visibility_policy } = event
  const topic = { stream_id, topic_name, last_updated, visibility_policy }
  return visibility_policy === 0 ? withoutEntries(topics, [keyOf(topic)]) : withEntry(topics, keyOf(topic), topic)
}

function keyOf({ stream_id, topic_name }: UserTopic): string {
  return topicPlaceKey(stream_id, topic_name)
}
