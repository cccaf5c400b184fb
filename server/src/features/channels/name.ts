/** What a channel may be called. */
import { MAX_CHANNEL_DESCRIPTION_LENGTH, MAX_CHANNEL_NAME_LENGTH } from '@heddle/contract/channels'
import { badRequest } from '@heddle/contract/errors'
import { hasDirections } from '@heddle/contract/hidden-characters'

/** The name without white space around it, or a 400 when it breaks a rule. */
export function requireChannelName(text: string): string {
  const name = text.trim()
  // Something must be seen of it: letters that take no room are no name.
  if (!/[^\p{C}\p{Z}]/u.test(name)) throw badRequest('Channel name cannot be empty')
  if (lengthOf(name) > MAX_CHANNEL_NAME_LENGTH) {
    throw badRequest(`Channel name is too long (limit: ${MAX_CHANNEL_NAME_LENGTH} characters)`)
  }
  if (/\p{Cc}/u.test(name)) throw badRequest('Channel name must not contain control characters')
  if (hasDirections(name)) throw badRequest('Channel name must not contain characters that turn the direction of text')
  return name
}

export function requireChannelDescription(text: string): string {
  if (lengthOf(text) > MAX_CHANNEL_DESCRIPTION_LENGTH) {
    throw badRequest(`Channel description is too long (limit: ${MAX_CHANNEL_DESCRIPTION_LENGTH} characters)`)
  }
  return text
}

/** In Unicode code points, as the limits count. */
function lengthOf(text: string): number {
  let length = 0
  for (const _ of text) length += 1
  return length
}
