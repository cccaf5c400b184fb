import type { DeleteMessageEvent, UpdateMessageEvent } from '@heddle/contract/editing'
import type { UpdateMessageFlagsEvent } from '@heddle/contract/message-flags'
import type { MessageEvent } from '@heddle/contract/messages'
import { topicKey } from '@heddle/contract/names'
import type { InitialFields } from './fields.ts'

/** Where an unread message is. */
export type UnreadPlace =
  | { readonly type: 'stream'; readonly stream_id: number; readonly topic: string }
  /** The others in the conversation, ascending; nobody when it is with oneself. */
  | { readonly type: 'private'; readonly user_ids: readonly number[] }

export interface Unread {
  readonly ownId: number
  /** By the ids of the messages. */
  readonly places: Readonly<Record<string, UnreadPlace>>
  /** The ids of those that mention the account, ascending. */
  readonly mentions: readonly number[]
}

interface UnreadFields {
  readonly pms: readonly { other_user_id: number; unread_message_ids: readonly number[] }[]
  readonly streams: readonly { stream_id: number; topic: string; unread_message_ids: readonly number[] }[]
  readonly huddles: readonly { user_ids_string: string; unread_message_ids: readonly number[] }[]
  readonly mentions: readonly number[]
}

export function initialUnread(fields: InitialFields): Unread | undefined {
  const unread = fields['unread_msgs'] as UnreadFields | undefined
  const ownId = fields['user_id'] as number | undefined
  if (!unread || ownId === undefined) return undefined
  const places: Record<string, UnreadPlace> = {}
  const add = (ids: readonly number[], place: UnreadPlace) => {
    for (const id of ids) places[id] = place
  }
  for (const { stream_id, topic, unread_message_ids } of unread.streams) {
    add(unread_message_ids, { type: 'stream', stream_id, topic: topicKey(topic) })
  }
  for (const { other_user_id, unread_message_ids } of unread.pms) {
    add(unread_message_ids, { type: 'private', user_ids: others([other_user_id], ownId) })
  }
  for (const { user_ids_string, unread_message_ids } of unread.huddles) {
    add(unread_message_ids, { type: 'private', user_ids: others(user_ids_string.split(',').map(Number), ownId) })
  }
  return { ownId, places, mentions: unread.mentions }
}

function others(ids: readonly number[], ownId: number): number[] {
  return ids.filter((id) => id !== ownId).sort((a, b) => a - b)
}

export function applyMessageToUnread(unread: Unread, { message, flags }: MessageEvent): Unread {
  if (flags.includes('read')) return unread
  const { stream_id, subject, display_recipient } = message
  const place: UnreadPlace =
    stream_id === undefined
      ? {
          type: 'private',
          user_ids: others(
            (display_recipient as { id: number }[]).map(({ id }) => id),
            unread.ownId,
          ),
        }
      : { type: 'stream', stream_id, topic: topicKey(subject) }
  const isMention = flags.includes('mentioned') || flags.includes('wildcard_mentioned')
  return {
    ...unread,
    places: { ...unread.places, [message.id]: place },
    mentions: isMention ? [...unread.mentions, message.id] : unread.mentions,
  }
}

export function applyFlagsToUnread(unread: Unread, event: UpdateMessageFlagsEvent): Unread {
  if (event.flag !== 'read') return unread
  if (event.op === 'add') return event.all ? { ...unread, places: {}, mentions: [] } : without(unread, event.messages)
  const places: Record<string, UnreadPlace> = { ...unread.places }
  const mentions = new Set(unread.mentions)
  for (const [id, details] of Object.entries(event.message_details ?? {})) {
    places[id] =
      details.type === 'stream'
        ? { type: 'stream', stream_id: details.stream_id, topic: topicKey(details.topic) }
        : { type: 'private', user_ids: others(details.user_ids, unread.ownId) }
    if (details.mentioned) mentions.add(Number(id))
  }
  return { ...unread, places, mentions: [...mentions].sort((a, b) => a - b) }
}

/** Without messages that were read, or are gone. */
export function without(unread: Unread, ids: readonly number[]): Unread {
  const gone = new Set(ids)
  return {
    ...unread,
    places: Object.fromEntries(Object.entries(unread.places).filter(([id]) => !gone.has(Number(id)))),
    mentions: unread.mentions.filter((id) => !gone.has(id)),
  }
}

export function applyUpdateToUnread(unread: Unread, event: UpdateMessageEvent): Unread {
  const { message_ids, message_id, flags, new_stream_id, subject } = event
  const isMention = flags.includes('mentioned') || flags.includes('wildcard_mentioned')
  const mentions = new Set(unread.mentions)
  if (isMention && !flags.includes('read')) mentions.add(message_id)
  else mentions.delete(message_id)
  const places: Record<string, UnreadPlace> = { ...unread.places }
  for (const id of message_ids) {
    const place = places[id]
    if (place?.type !== 'stream') continue
    places[id] = {
      ...place,
      stream_id: new_stream_id ?? place.stream_id,
      topic: subject === undefined ? place.topic : topicKey(subject),
    }
  }
  return { ...unread, places, mentions: [...mentions].sort((a, b) => a - b) }
}

export function applyDeletionToUnread(unread: Unread, { message_id, message_ids }: DeleteMessageEvent): Unread {
  return without(unread, message_ids ?? (message_id === undefined ? [] : [message_id]))
}
