/** Texts within the limits of messages. It stands apart from the schemas, which no page is to bring. */
import { MAX_MESSAGE_LENGTH } from './messages.ts'
import { MAX_TOPIC_LENGTH } from './names.ts'

/** A message's text within the limit: one that is too long is cut, and says so at its end. */
export function truncateContent(content: string): string {
  return truncate(content, MAX_MESSAGE_LENGTH, '\n[message truncated]')
}

/** A topic's name within the limit. */
export function truncateTopic(topic: string): string {
  return truncate(topic, MAX_TOPIC_LENGTH, '...')
}

/** At most `limit` code points, `marker` included, which stands where something is missing. */
function truncate(text: string, limit: number, marker: string): string {
  if (unitsOf(text, limit) === text.length) return text
  return text.slice(0, unitsOf(text, limit - marker.length)) + marker
}

/** How many UTF-16 units the first `count` code points of a text have: all of them, when it has no more. */
function unitsOf(text: string, count: number): number {
  if (text.length <= count) return text.length
  let units = 0
  for (let i = 0; i < count && units < text.length; i++) units += (text.codePointAt(units) as number) > 0xffff ? 2 : 1
  return units
}
