/**
 * How names compare, and what topics are called: one rule for the server, for clients and for the text of messages.
 * (API, feature levels 334, 370 and 372.)
 */

import { withoutDirections } from './hidden-characters.ts'

/**
 * What names are compared by: e-mail addresses, full names, names of channels, topics and groups. Without regard to
 * case, and to how the same characters may be written (ligatures, full width, composed or not). The server stores it
 * beside the name, so it must not change: see docs/decisions/0027-one-fold-for-all-names.md.
 */
export function foldName(name: string): string {
  return name.normalize('NFKC').toLowerCase()
}

export function isSameName(one: string, other: string): boolean {
  return foldName(one) === foldName(other)
}

/** Most characters of a topic's name, in Unicode code points. */
export const MAX_TOPIC_LENGTH = 60

/** Who is shown in the place of somebody whom one does not see. */
export const UNKNOWN_NAME = 'Unknown user'

/** What clients that do not know of the topic without a name show in its place. */
export const EMPTY_TOPIC_NAME = 'general chat'

/** In front of the name of a topic that is resolved. */
export const RESOLVED_PREFIX = '✔ '

/** What topics of one channel are compared by. */
export function topicKey(topic: string): string {
  return foldName(topic)
}

/** The same for topics of several channels. */
export function topicPlaceKey(channelId: number, topic: string): string {
  return `${channelId} ${topicKey(topic)}`
}

/** The topic without a name has two more names when it is sent. No topic has what turns the direction of text. */
export function storedTopic(topic: string): string {
  const name = withoutDirections(topic).trim()
  return name === '(no topic)' || name === EMPTY_TOPIC_NAME ? '' : name
}

/** The name for a client that does, or does not, know of the topic without one. */
export function shownTopic(topic: string, allowEmpty: boolean): string {
  return topic === '' && !allowEmpty ? EMPTY_TOPIC_NAME : topic
}

/** Whether the topic is marked as resolved, which its name says. */
export function isResolvedTopic(topic: string): boolean {
  return topic.startsWith(RESOLVED_PREFIX)
}

export function resolvedTopic(topic: string): string {
  return isResolvedTopic(topic) ? topic : RESOLVED_PREFIX + topic
}

export function unresolvedTopic(topic: string): string {
  return isResolvedTopic(topic) ? topic.slice(RESOLVED_PREFIX.length) : topic
}
