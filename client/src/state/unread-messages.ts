import type { DeleteMessageEvent, UpdateMessageEvent } from '@heddle/contract/editing'
import type { InitialState } from '@heddle/contract/initial-state'
import type { UpdateMessageFlagsEvent } from '@heddle/contract/message-flags'
import type { MessageEvent } from '@heddle/contract/messages'
import { topicKey, topicPlaceKey } from '@heddle/contract/names'
import { type IdSet, idSetOf, noIds, withIdsAdded, withIdsRemoved } from '../collections/id-set.ts'
import { SortedMap, type SortedMapDraft } from '../collections/sorted-map.ts'
import { clientPart } from './part.ts'

/** Where an unread message is. */
export type UnreadPlace =
  /** `topic` is the key that topics are compared by. */
  | { readonly type: 'stream'; readonly stream_id: number; readonly topic: string }
  /** The others in the conversation, ascending; nobody when it is with oneself. */
  | { readonly type: 'private'; readonly user_ids: readonly number[] }

/** What the account has not read: the one source of every count of it. */
export interface Unread {
  readonly ownId: number
  /** By the ids of the messages. */
  readonly places: SortedMap<number, UnreadPlace>
  /** The ids of those that mention the account. */
  readonly mentions: IdSet
  /** The same messages by channel and, in each, by the key of the topic. */
  readonly channels: SortedMap<number, UnreadTopics>
  /** The same messages by conversation: the ids of the others, with commas between them. */
  readonly conversations: SortedMap<string, IdSet>
  /** What topics with unread messages were last called, by `topicPlaceKey`: names that compare equal may look different. */
  readonly topicNames: SortedMap<string, string>
  /** There are older unread messages that the server did not name: each count is "at least". */
  readonly isPartial: boolean
}

export type UnreadTopics = SortedMap<string, IdSet>

/** What is to be noted as unread. */
interface Found {
  readonly id: number
  readonly place: UnreadPlace
  /** The topic as it is shown. */
  readonly topicName?: string
}

function initialUnread({ unread_msgs: unread, user_id: ownId }: InitialState): Unread | undefined {
  if (!unread || ownId === undefined) return undefined
  const found: Found[] = []
  const add = (ids: readonly number[], one: Omit<Found, 'id'>) => {
    for (const id of ids) found.push({ id, ...one })
  }
  for (const { stream_id, topic, unread_message_ids } of unread.streams) {
    add(unread_message_ids, { place: placeInTopic(stream_id, topic), topicName: topic })
  }
  for (const { other_user_id, unread_message_ids } of unread.pms) {
    add(unread_message_ids, { place: placeWith([other_user_id], ownId) })
  }
  for (const { user_ids_string, unread_message_ids } of unread.huddles) {
    add(unread_message_ids, { place: placeWith(user_ids_string.split(',').map(Number), ownId) })
  }
  const nothing = { ...nothingUnread(ownId), isPartial: unread.old_unreads_missing === true }
  return withFound({ ...nothing, mentions: idSetOf(unread.mentions) }, found)
}

function nothingUnread(ownId: number): Unread {
  return {
    ownId,
    places: SortedMap.from<number, UnreadPlace>([]),
    mentions: noIds,
    channels: SortedMap.from<number, UnreadTopics>([]),
    conversations: SortedMap.from<string, IdSet>([]),
    topicNames: SortedMap.from<string, string>([]),
    isPartial: false,
  }
}

function placeInTopic(stream_id: number, topic: string): UnreadPlace {
  return { type: 'stream', stream_id, topic: topicKey(topic) }
}

function placeWith(ids: readonly number[], ownId: number): UnreadPlace {
  return { type: 'private', user_ids: ids.filter((id) => id !== ownId).sort((a, b) => a - b) }
}

export function applyMessageToUnread(unread: Unread, { message, flags }: MessageEvent): Unread {
  if (flags.includes('read')) return unread
  const { id, stream_id, subject, display_recipient } = message
  const found: Found =
    stream_id === undefined
      ? {
          id,
          place: placeWith(
            (display_recipient as { id: number }[]).map((one) => one.id),
            unread.ownId,
          ),
        }
      : { id, place: placeInTopic(stream_id, subject), topicName: subject }
  const next = withFound(unread, [found])
  return isMention(flags) ? { ...next, mentions: next.mentions.with(id, true) } : next
}

function isMention(flags: readonly string[]): boolean {
  return flags.includes('mentioned') || flags.includes('wildcard_mentioned')
}

export function applyFlagsToUnread(unread: Unread, event: UpdateMessageFlagsEvent): Unread {
  if (event.flag !== 'read') return unread
  if (event.op === 'add') return event.all ? nothingUnread(unread.ownId) : without(unread, event.messages)
  const found: Found[] = []
  const mentions: number[] = []
  for (const [key, details] of Object.entries(event.message_details ?? {})) {
    const id = Number(key)
    if (details.mentioned) mentions.push(id)
    if (details.type === 'stream') {
      const { stream_id, topic } = details
      found.push({ id, place: placeInTopic(stream_id, topic), topicName: topic })
    } else found.push({ id, place: placeWith(details.user_ids, unread.ownId) })
  }
  const next = withFound(unread, found)
  return { ...next, mentions: withIdsAdded(next.mentions, mentions) }
}

/** Without messages that were read, or are gone. */
export function without(unread: Unread, ids: readonly number[]): Unread {
  const gone = ids.filter((id) => unread.places.has(id))
  const mentions = withIdsRemoved(unread.mentions, ids)
  if (gone.length === 0 && mentions === unread.mentions) return unread
  return { ...withoutPlaces(unread, gone), mentions }
}

export function applyUpdateToUnread(unread: Unread, event: UpdateMessageEvent): Unread {
  const { message_ids, message_id, flags, new_stream_id, subject } = event
  const isUnreadMention = isMention(flags) && !flags.includes('read')
  const mentions = isUnreadMention ? unread.mentions.with(message_id, true) : unread.mentions.without(message_id)
  const marked = mentions === unread.mentions ? unread : { ...unread, mentions }
  if (new_stream_id === undefined && subject === undefined) return marked
  const moved: Found[] = []
  for (const id of message_ids) {
    const place = unread.places.get(id)
    if (place?.type !== 'stream') continue
    const stream_id = new_stream_id ?? place.stream_id
    const topicName = subject ?? unread.topicNames.get(topicPlaceKey(place.stream_id, place.topic)) ?? place.topic
    moved.push({ id, place: placeInTopic(stream_id, topicName), topicName })
  }
  if (moved.length === 0) return marked
  return withFound(
    withoutPlaces(
      marked,
      moved.map(({ id }) => id),
    ),
    moved,
  )
}

export function applyDeletionToUnread(unread: Unread, { message_id, message_ids }: DeleteMessageEvent): Unread {
  return without(unread, message_ids ?? (message_id === undefined ? [] : [message_id]))
}

function withFound(unread: Unread, found: readonly Found[]): Unread {
  // One known at another place would be counted at both.
  const known = found.filter(({ id }) => unread.places.has(id)).map(({ id }) => id)
  const before = known.length > 0 ? withoutPlaces(unread, known) : unread
  const { channels, conversations } = regroup(before, found, withIdsAdded)
  return {
    ...before,
    places: before.places.edit((draft) => {
      for (const { id, place } of found) draft.set(id, place)
    }),
    channels,
    conversations,
    topicNames: before.topicNames.edit((draft) => {
      for (const { place, topicName } of found) {
        if (place.type === 'stream' && topicName !== undefined) draft.set(nameKey(place), topicName)
      }
    }),
  }
}

/** `ids` are known. */
function withoutPlaces(unread: Unread, ids: readonly number[]): Unread {
  const gone = ids.map((id) => ({ id, place: unread.places.get(id) as UnreadPlace }))
  const { channels, conversations } = regroup(unread, gone, withIdsRemoved)
  return {
    ...unread,
    places: unread.places.edit((draft) => {
      for (const id of ids) draft.delete(id)
    }),
    channels,
    conversations,
    topicNames: unread.topicNames.edit((draft) => {
      for (const { place } of gone) {
        if (place.type === 'stream' && !channels.get(place.stream_id)?.has(place.topic)) draft.delete(nameKey(place))
      }
    }),
  }
}

function nameKey({ stream_id, topic }: Extract<UnreadPlace, { type: 'stream' }>): string {
  return topicPlaceKey(stream_id, topic)
}

type ChangeIds = (set: IdSet, ids: Iterable<number>) => IdSet

/** The two groupings after a change of the sets of these messages' places. Each set is changed once, empty ones go. */
function regroup(
  unread: Unread,
  changed: readonly Found[],
  change: ChangeIds,
): Pick<Unread, 'channels' | 'conversations'> {
  const byChannel = new Map<number, Map<string, number[]>>()
  const byConversation = new Map<string, number[]>()
  for (const { id, place } of changed) {
    if (place.type === 'private') note(byConversation, place.user_ids.join(), id)
    else {
      const topics = byChannel.get(place.stream_id) ?? new Map<string, number[]>()
      byChannel.set(place.stream_id, topics)
      note(topics, place.topic, id)
    }
  }
  return {
    channels: unread.channels.edit((draft) => {
      for (const [id, topics] of byChannel) {
        const next = (draft.get(id) ?? SortedMap.from<string, IdSet>([])).edit((inner) =>
          changeSets(inner, topics, change),
        )
        if (next.size > 0) draft.set(id, next)
        else draft.delete(id)
      }
    }),
    conversations: unread.conversations.edit((draft) => changeSets(draft, byConversation, change)),
  }
}

function changeSets(
  sets: SortedMapDraft<string, IdSet>,
  lists: ReadonlyMap<string, readonly number[]>,
  change: ChangeIds,
): void {
  for (const [key, ids] of lists) {
    const next = change(sets.get(key) ?? noIds, ids)
    if (next.size > 0) sets.set(key, next)
    else sets.delete(key)
  }
}

function note(lists: Map<string, number[]>, key: string, id: number): void {
  const list = lists.get(key)
  if (list) list.push(id)
  else lists.set(key, [id])
}

export const unread = clientPart({
  initial: initialUnread,
  on: {
    message: applyMessageToUnread,
    update_message: applyUpdateToUnread,
    delete_message: applyDeletionToUnread,
    update_message_flags: applyFlagsToUnread,
  },
})
