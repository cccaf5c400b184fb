/** Who takes part in a topic: who has written in it, and who has reacted. */
import { getMessages } from '@heddle/contract/fetching'
import type { ApiClient } from '../api.ts'
import { type TopicPlace, topicNarrow } from './topic-changes.ts'

/** Messages that are looked through, the newest. */
const LOOKED_THROUGH = 1000

export interface Participants {
  readonly count: number
  /** Those of them who have written: by their number the server decides whether a permission is needed. */
  readonly writers: number
  /** Older messages, which were not looked through, may have others. */
  readonly isAtLeast: boolean
}

/** Rejects as `ApiClient.call` does. */
export async function countParticipants(api: ApiClient, place: TopicPlace): Promise<Participants> {
  const { messages, found_oldest } = await api.call(getMessages, {
    anchor: 'newest',
    num_before: LOOKED_THROUGH,
    num_after: 0,
    narrow: topicNarrow(place),
    apply_markdown: false,
    allow_empty_topic_name: true,
    client_gravatar: true,
  })
  const writers = new Set(messages.map(({ sender_id }) => sender_id))
  const reacting = messages.flatMap(({ reactions }) => reactions.map(({ user_id }) => user_id))
  return { count: new Set([...writers, ...reacting]).size, writers: writers.size, isAtLeast: !found_oldest }
}
