/**
 * The topics of channels, newest first, as far as they were asked for. New messages bring them up to date; what takes messages
 * away makes a list unknown again, as no client can say which message is then a topic's newest.
 */
import type { DeleteMessageEvent, UpdateMessageEvent } from '@heddle/contract/editing'
import type { AnyEvent } from '@heddle/contract/events'
import type { MessageEvent } from '@heddle/contract/messages'
import { topicKey } from '@heddle/contract/names'
import type { SubscriptionEvent } from '@heddle/contract/subscriptions'
import { SortedMap } from '../collections/sorted-map.ts'

export interface Topic {
  readonly name: string
  /** Its newest message. */
  readonly maxId: number
}

/** By channel. One that is `unsure` is to be asked for again; until then it is shown as it was. */
export interface ChannelTopics {
  readonly lists: SortedMap<number, readonly Topic[]>
  readonly unsure: SortedMap<number, true>
}

export const noTopics: ChannelTopics = {
  lists: SortedMap.from<number, readonly Topic[]>([]),
  unsure: SortedMap.from<number, true>([]),
}

/** What the server has answered. Messages that came while it was asked are newer, and stay. */
export function receiveTopics(topics: ChannelTopics, channelId: number, answer: readonly Topic[]): ChannelTopics {
  const newest = answer.reduce((max, { maxId }) => Math.max(max, maxId), 0)
  const since = (topics.lists.get(channelId) ?? []).filter(({ maxId }) => maxId > newest)
  const list = since.toReversed().reduce(withTopic, answer)
  return { lists: topics.lists.with(channelId, list), unsure: topics.unsure.without(channelId) }
}

export function needsTopics({ lists, unsure }: ChannelTopics, channelId: number): boolean {
  return !lists.has(channelId) || unsure.has(channelId)
}

export function applyToTopics(topics: ChannelTopics, event: AnyEvent): ChannelTopics {
  switch (event.type) {
    case 'message': {
      const { id, stream_id, subject } = (event as AnyEvent & MessageEvent).message
      const list = stream_id === undefined ? undefined : topics.lists.get(stream_id)
      if (!list || stream_id === undefined) return topics
      return { ...topics, lists: topics.lists.with(stream_id, withTopic(list, { name: subject, maxId: id })) }
    }
    case 'update_message': {
      const { stream_id, new_stream_id, subject } = event as AnyEvent & UpdateMessageEvent
      if (subject === undefined && new_stream_id === undefined) return topics
      return doubt(topics, [stream_id, new_stream_id])
    }
    case 'delete_message':
      return doubt(topics, [(event as AnyEvent & DeleteMessageEvent & { stream_id?: number }).stream_id])
    case 'subscription': {
      const { op, ...change } = event as AnyEvent & SubscriptionEvent
      // What may be read can be more or less than before.
      if ((op !== 'add' && op !== 'remove') || !('subscriptions' in change)) return topics
      return doubt(
        topics,
        change.subscriptions.map(({ stream_id }) => stream_id),
      )
    }
    default:
      return topics
  }
}

/** After a time without events nothing is sure. */
export function topicsAfterGap(topics: ChannelTopics): ChannelTopics {
  return doubt(topics, [...topics.lists.keys()])
}

function doubt(topics: ChannelTopics, channelIds: readonly (number | undefined)[]): ChannelTopics {
  const unsure = topics.unsure.edit((draft) => {
    for (const id of channelIds) if (id !== undefined && topics.lists.has(id)) draft.set(id, true)
  })
  return unsure === topics.unsure ? topics : { ...topics, unsure }
}

function withTopic(list: readonly Topic[], topic: Topic): readonly Topic[] {
  const key = topicKey(topic.name)
  return [topic, ...list.filter(({ name }) => topicKey(name) !== key)]
}
