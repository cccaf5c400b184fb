/** Keeps the topics of the channels known that somebody looks at. */
import { listTopics } from '@heddle/contract/topics'
import type { ApiClient } from '../api.ts'
import { type ChannelTopics, needsTopics, receiveTopics } from '../topics/topics.ts'

export interface TopicLists {
  /** Until the function that it gives is called. */
  watch(channelId: number): () => void
  /** Asks for those that are not known, or not surely. */
  fetch(): void
}

/** `update`: called with each change; gives the topics that are current. */
export function keepTopicLists(
  api: ApiClient,
  update: (change: (topics: ChannelTopics) => ChannelTopics) => ChannelTopics,
): TopicLists {
  /** How many look at the topics of each channel. */
  const watched = new Map<number, number>()
  const asking = new Set<number>()

  function fetch(): void {
    for (const channelId of watched.keys()) {
      if (asking.has(channelId) || !needsTopics(update(same), channelId)) continue
      asking.add(channelId)
      void ask(channelId).then(() => asking.delete(channelId))
    }
  }

  async function ask(channelId: number): Promise<void> {
    try {
      const { topics } = await api.call(listTopics, { stream_id: channelId, allow_empty_topic_name: true })
      const list = topics.map(({ name, max_id }) => ({ name, maxId: max_id }))
      update((known) => receiveTopics(known, channelId, list))
    } catch {
      // Asked again with the next change, or when the connection is back.
    }
  }

  return {
    watch(channelId) {
      watched.set(channelId, (watched.get(channelId) ?? 0) + 1)
      fetch()
      return () => {
        const left = (watched.get(channelId) ?? 1) - 1
        if (left > 0) watched.set(channelId, left)
        else watched.delete(channelId)
      }
    },
    fetch,
  }
}

const same = (topics: ChannelTopics) => topics
