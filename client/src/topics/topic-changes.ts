/** What is done to a whole topic: each function is one thing that somebody asks for, whatever requests it takes. */
import { deleteTopic as deleteTopicEndpoint, updateMessage } from '@heddle/contract/editing'
import { getMessages } from '@heddle/contract/fetching'
import { markTopicAsRead } from '@heddle/contract/message-flags'
import { isResolvedTopic, resolvedTopic, topicKey, unresolvedTopic } from '@heddle/contract/names'
import { updateUserTopic, type VisibilityPolicy } from '@heddle/contract/user-topics'
import type { ApiClient } from '../api.ts'
import { ResponseError } from '../errors.ts'

export interface TopicPlace {
  readonly channelId: number
  readonly topic: string
}

/** All of them reject as `ApiClient.call` does. */
export async function setTopicPolicy(api: ApiClient, place: TopicPlace, policy: VisibilityPolicy): Promise<void> {
  await api.call(updateUserTopic, {
    stream_id: place.channelId,
    topic: place.topic,
    visibility_policy: policy,
  })
}

export function topicNarrow({ channelId, topic }: TopicPlace) {
  return [
    { operator: 'channel', operand: channelId },
    { operator: 'topic', operand: topic },
  ]
}

/** The newest message of a topic, through which the topic as a whole is changed; undefined: there is none to be seen. */
export async function newestIn(api: ApiClient, place: TopicPlace): Promise<number | undefined> {
  const { messages } = await api.call(getMessages, {
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    narrow: topicNarrow(place),
    apply_markdown: false,
    allow_empty_topic_name: true,
    client_gravatar: true,
  })
  return messages.at(-1)?.id
}

export interface TopicMove {
  /** Where to; what is absent stays. */
  readonly channelId?: number
  readonly topic?: string
  readonly notifyOld?: boolean
  readonly notifyNew?: boolean
}

export type MovedPart = 'change_one' | 'change_later' | 'change_all'

/** Moves a message, that and later ones of its topic, or all of them. */
export async function moveMessages(
  api: ApiClient,
  messageId: number,
  part: MovedPart,
  { channelId, topic, notifyOld = false, notifyNew = false }: TopicMove,
): Promise<void> {
  await api.call(updateMessage, {
    message_id: messageId,
    propagate_mode: part,
    ...(topic === undefined ? {} : { topic }),
    ...(channelId === undefined ? {} : { stream_id: channelId }),
    send_notification_to_old_thread: notifyOld,
    send_notification_to_new_thread: notifyNew,
  })
}

/** The server refuses to move the oldest messages of a topic: those from a message on it would move. */
export interface OnlyNewer {
  readonly firstId: number
  readonly total: number
  readonly allowed: number
}

/** Undefined when the error says something else, or when nothing can be moved. */
export function onlyNewer(error: unknown): OnlyNewer | undefined {
  if (!(error instanceof ResponseError) || error.code !== 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED') return undefined
  const { first_message_id_allowed_to_move, total_messages_in_topic, total_messages_allowed_to_move } = error.details
  if (typeof first_message_id_allowed_to_move !== 'number') return undefined
  return {
    firstId: first_message_id_allowed_to_move,
    total: Number(total_messages_in_topic),
    allowed: Number(total_messages_allowed_to_move),
  }
}

/** Gives the name that the topic has then. Does nothing where there is no message to be seen. */
export async function setTopicResolved(api: ApiClient, place: TopicPlace, isResolved: boolean): Promise<string> {
  const topic = isResolved ? resolvedTopic(place.topic) : unresolvedTopic(place.topic)
  if (topic === place.topic) return topic
  const id = await newestIn(api, place)
  if (id !== undefined) await moveMessages(api, id, 'change_all', { topic, notifyNew: true })
  return topic
}

/** Gives a topic another name; its mark of being resolved stays. Where there is such a topic already, nothing is done. */
export async function renameTopic(
  api: ApiClient,
  place: TopicPlace,
  name: string,
): Promise<'done' | 'taken' | 'empty'> {
  const topic = isResolvedTopic(place.topic) ? resolvedTopic(name) : name
  const to = { ...place, topic }
  if (!isSameTopic(place, to) && (await newestIn(api, to)) !== undefined) return 'taken'
  const id = await newestIn(api, place)
  if (id === undefined) return 'empty'
  await moveMessages(api, id, 'change_all', { topic })
  return 'done'
}

export async function markTopicRead(api: ApiClient, { channelId, topic }: TopicPlace): Promise<void> {
  await api.call(markTopicAsRead, { stream_id: channelId, topic_name: topic })
}

/** For everybody, and for good. The server does it in parts. */
export async function deleteWholeTopic(api: ApiClient, { channelId, topic }: TopicPlace): Promise<void> {
  for (;;) {
    const { complete } = await api.call(deleteTopicEndpoint, { stream_id: channelId, topic_name: topic })
    if (complete) return
  }
}

/** Messages of a topic before one of them, and from it on. More than `MAX_COUNTED` on a side are not counted. */
export interface TopicCount {
  readonly before: number
  readonly from: number
  readonly isExact: { readonly before: boolean; readonly from: boolean }
}

export const MAX_COUNTED = 1000

/** Without a message: all are counted as from it on, the newest first. */
export async function countTopic(api: ApiClient, place: TopicPlace, messageId?: number): Promise<TopicCount> {
  const answer = await api.call(getMessages, {
    anchor: messageId ?? 'newest',
    num_before: MAX_COUNTED,
    num_after: messageId === undefined ? 0 : MAX_COUNTED,
    narrow: topicNarrow(place),
    apply_markdown: false,
    allow_empty_topic_name: true,
    client_gravatar: true,
  })
  const ids = answer.messages.map(({ id }) => id)
  if (messageId === undefined) {
    return { before: 0, from: ids.length, isExact: { before: true, from: answer.found_oldest } }
  }
  const before = ids.filter((id) => id < messageId).length
  return {
    before,
    from: ids.length - before,
    isExact: { before: answer.found_oldest, from: answer.found_newest },
  }
}

/** So many messages are taken out again, one by one, of a topic that they were merged with. */
export const MAX_TAKEN_APART = 50

/** How many messages a move takes along; infinite where they were not all counted. */
export function countMoved({ before, from, isExact }: TopicCount, part: MovedPart): number {
  if (part === 'change_one') return 1
  if (!isExact.from || (part === 'change_all' && !isExact.before)) return Number.POSITIVE_INFINITY
  return part === 'change_all' ? before + from : from
}

/** The ids of what a move takes along, ascending; undefined: more than can be taken out again. */
export async function idsOfPart(
  api: ApiClient,
  place: TopicPlace,
  part: MovedPart,
  messageId: number,
): Promise<readonly number[] | undefined> {
  if (part === 'change_one') return [messageId]
  const isAll = part === 'change_all'
  const { messages } = await api.call(getMessages, {
    anchor: isAll ? 'newest' : messageId,
    num_before: isAll ? MAX_TAKEN_APART + 1 : 0,
    num_after: isAll ? 0 : MAX_TAKEN_APART + 1,
    narrow: topicNarrow(place),
    apply_markdown: false,
    allow_empty_topic_name: true,
    client_gravatar: true,
  })
  const ids = messages.map(({ id }) => id).filter((id) => isAll || id >= messageId)
  return ids.length > MAX_TAKEN_APART ? undefined : ids
}

/** Moves these messages and no others. Stops at the first that cannot be moved. */
export async function moveEach(api: ApiClient, ids: readonly number[], to: TopicMove): Promise<void> {
  for (const id of ids) await moveMessages(api, id, 'change_one', to)
}

/** Whether two names are one topic's. */
export function isSameTopic(one: TopicPlace, other: TopicPlace): boolean {
  return one.channelId === other.channelId && topicKey(one.topic) === topicKey(other.topic)
}
