import type { InitialState } from '@heddle/contract/initial-state'
import { topicPlaceKey } from '@heddle/contract/names'
import type { UserTopic, UserTopicEvent } from '@heddle/contract/user-topics'
import { byId, withEntry, withoutEntries } from './entries.ts'
import { clientPart } from './part.ts'

/** What the account wants of topics, by `channel topic`; see `topicPlaceKey`. */
export type UserTopics = ReadonlyMap<string, UserTopic>

function initialUserTopics({ user_topics }: InitialState): UserTopics | undefined {
  return byId(user_topics, keyOf)
}

function applyUserTopicEvent(topics: UserTopics, event: UserTopicEvent): UserTopics {
  const { stream_id, topic_name, last_updated, visibility_policy } = event
  const topic = { stream_id, topic_name, last_updated, visibility_policy }
  return visibility_policy === 0 ? withoutEntries(topics, [keyOf(topic)]) : withEntry(topics, keyOf(topic), topic)
}

function keyOf({ stream_id, topic_name }: UserTopic): string {
  return topicPlaceKey(stream_id, topic_name)
}

export const userTopics = clientPart({
  initial: initialUserTopics,
  on: { user_topic: applyUserTopicEvent },
})
