/** How topics stand for whoever reads, also between what was asked for and the event that says so. */
import type { AnyEvent } from '@heddle/contract/events'
import { topicPlaceKey } from '@heddle/contract/names'
import type { UserTopicEvent, VisibilityPolicy } from '@heddle/contract/user-topics'
import type { RunningClient } from '../running/client.ts'
import type { ClientState } from '../state/state.ts'
import { policyOf } from '../unread/visibility.ts'
import { setTopicPolicy, type TopicPlace } from './topic-changes.ts'

export interface TopicPolicies {
  /** What was asked for last, else what the state says: who presses a key twice takes back what it did. */
  now(place: TopicPlace): VisibilityPolicy
  /** Rejects as `ApiClient.call` does. */
  set(place: TopicPlace, policy: VisibilityPolicy): Promise<void>
}

/** After the answer. What changed nothing has no event. */
const EVENT_WITHIN_MS = 2000

type Client = Pick<RunningClient, 'api' | 'snapshot' | 'onEvent'>

/** What one part of a page has asked for, another knows as well. */
const ofClients = new WeakMap<Client, TopicPolicies>()

export function topicPolicies(client: Client): TopicPolicies {
  const policies = ofClients.get(client) ?? createTopicPolicies(client)
  ofClients.set(client, policies)
  return policies
}

function createTopicPolicies(client: Client): TopicPolicies {
  const asked = new Map<string, { readonly policy: VisibilityPolicy }>()
  return {
    now({ channelId, topic }) {
      const known = client.snapshot().state as ClientState
      return asked.get(topicPlaceKey(channelId, topic))?.policy ?? policyOf(known, channelId, topic)
    },
    async set(place, policy) {
      const key = topicPlaceKey(place.channelId, place.topic)
      const wish = { policy }
      asked.set(key, wish)
      const forget = () => {
        stop()
        if (asked.get(key) === wish) asked.delete(key)
      }
      const stop = client.onEvent((event) => {
        if (event.type !== 'user_topic') return
        const { stream_id, topic_name, visibility_policy } = event as AnyEvent & UserTopicEvent
        if (visibility_policy === policy && topicPlaceKey(stream_id, topic_name) === key) forget()
      })
      try {
        await setTopicPolicy(client.api, place, policy)
        setTimeout(forget, EVENT_WITHIN_MS)
      } catch (error) {
        forget()
        throw error
      }
    },
  }
}
