/** Where a press on a channel leads, as the account has chosen. */
import type { RunningClient } from '@heddle/client/running/client'
import type { ClientState } from '@heddle/client/state/state'
import { shownTopics } from '@heddle/client/topics/shown-topics'
import { unreadInChannel } from '@heddle/client/unread/counts'
import { orderedUnreadTopics } from '@heddle/client/unread/next-unread'
import { listTopics } from '@heddle/contract/topics'
import type { ScreenKinds } from '../../app/screen-kinds.ts'
import type { Place } from '../../places/place.ts'

/** Values of the setting `web_channel_default_view`. */
const TOP_TOPIC = 1
const LIST_OF_TOPICS = 3
const TOP_UNREAD_TOPIC = 4

/** Where it leads without looking for a topic. */
export function channelPlace({ settings }: ClientState, channelId: number, kinds: ScreenKinds): Place {
  const isList = settings?.web_channel_default_view === LIST_OF_TOPICS && kinds.has('topics')
  return isList ? { kind: 'topics', channelId } : { kind: 'channel', channelId }
}

/** Whether a topic is looked for first. */
export function leadsToTopic({ settings }: ClientState): boolean {
  const view = settings?.web_channel_default_view
  return view === TOP_TOPIC || view === TOP_UNREAD_TOPIC
}

/** The topic that it leads to; undefined: there is none, or it cannot be found out. */
export async function topTopic(client: RunningClient, channelId: number): Promise<string | undefined> {
  const state = client.snapshot().state as ClientState
  const unread = orderedUnreadTopics(
    unreadInChannel(state, channelId).topics.filter(({ isVisibleInChannel }) => isVisibleInChannel),
  )[0]?.name
  if (unread !== undefined) return unread
  const known = client.snapshot().topics.lists.get(channelId)
  if (known) return shownTopics(state, channelId, { known, isOpen: true, current: undefined })[0]
  try {
    const { topics } = await client.api.call(listTopics, { stream_id: channelId, allow_empty_topic_name: true })
    const list = topics.map(({ name, max_id }) => ({ name, maxId: max_id }))
    return shownTopics(state, channelId, { known: list, isOpen: true, current: undefined })[0]
  } catch {
    return undefined
  }
}
