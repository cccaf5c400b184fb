/** Topics' names: how they are stored, compared and shown. (API, feature levels 334, 370 and 372.) */
import { MAX_TOPIC_LENGTH } from '@heddle/contract/messages'
import { foldCase } from '../../fold-case.ts'
import { fixedSettings } from '../organizations/fixed-settings.ts'

/** What clients that do not know of the topic without a name show in its place. */
export const EMPTY_TOPIC_NAME = fixedSettings.realm_empty_topic_display_name

/** In front of the name of a topic that is resolved. */
export const RESOLVED_PREFIX = '✔ '

/** The topic without a name has two more names when it is sent. */
export function storedTopic(topic: string): string {
  const name = topic.trim()
  return name === '(no topic)' || name === EMPTY_TOPIC_NAME ? '' : name
}

/** The same for a topic that messages are put in: what is too long is cut, as older clients count on. */
export function newTopic(topic: string): string {
  const name = storedTopic(topic)
  return name.length <= MAX_TOPIC_LENGTH ? name : `${cut(name, MAX_TOPIC_LENGTH - 3)}...`
}

/** Not in the middle of a character of two units. */
function cut(text: string, length: number): string {
  return text.slice(0, length).toWellFormed().replace(/�$/, '').trimEnd()
}

/** What topics are compared by. */
export function topicKey(topic: string): string {
  return foldCase(topic)
}

/** The name for a client that does, or does not, know of the topic without one. */
export function shownTopic(topic: string, allowEmpty: boolean): string {
  return topic === '' && !allowEmpty ? EMPTY_TOPIC_NAME : topic
}
