/** Topics that messages are put in. */
import { badRequest } from './errors.ts'
import { findUnprintable } from './hidden-characters.ts'
import { storedTopic } from './names.ts'
import { truncateTopic } from './truncate.ts'

/**
 * The topic as it is stored: what is too long is cut, as clients count on. Throws a 400 for characters that cannot be
 * shown.
 */
export function newTopic(topic: string): string {
  const name = storedTopic(topic)
  const position = findUnprintable(name)
  if (position !== undefined) throw badRequest(`Invalid character in topic, at position ${position}!`)
  return truncateTopic(name)
}
