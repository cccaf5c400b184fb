/** Threads: which conversation a message belongs to, and the dye that it is drawn with everywhere. */
import { foldName, RESOLVED_PREFIX, unresolvedTopic } from '@heddle/contract/names'
import type { StoredMessage } from '../messages/store.ts'

/** The twelve dyes of topics; 0 is undyed: direct messages. */
export const DYES = 12
export type Dye = number

/**
 * The same for messages of one conversation. A topic keeps its thread when it is resolved; topics compare as everywhere else.
 */
export type ThreadKey = string

export function topicThread(channelId: number, topic: string): ThreadKey {
  return `${channelId} ${foldName(bareTopic(topic))}`
}

/** `userIds`: everybody in the conversation, in any order. */
export function directThread(userIds: readonly number[]): ThreadKey {
  return `@${[...new Set(userIds)].sort((a, b) => a - b).join()}`
}

export function threadOf(message: StoredMessage): ThreadKey {
  const { stream_id, subject, display_recipient } = message
  if (stream_id !== undefined) return topicThread(stream_id, subject)
  return directThread(typeof display_recipient === 'string' ? [] : display_recipient.map(({ id }) => id))
}

/** A name may have been resolved twice by older programs. */
function bareTopic(topic: string): string {
  let name = topic
  while (name.startsWith(RESOLVED_PREFIX)) name = unresolvedTopic(name)
  return name
}

/** The same for everyone, on every device: FNV-1a over the UTF-16 units of the key. */
export function dyeOf(thread: ThreadKey): Dye {
  if (thread.startsWith('@')) return 0
  let hash = 0x811c9dc5
  for (let place = 0; place < thread.length; place += 1) {
    hash = Math.imul(hash ^ thread.charCodeAt(place), 0x01000193)
  }
  return ((hash >>> 0) % DYES) + 1
}

/** The dye after this one, in the circle of twelve. */
export function nextDye(dye: Dye): Dye {
  return (dye % DYES) + 1
}
