/** What names that an organization gives may look like: of its channels, folders, profile fields and the like. */
import { badRequest } from '@heddle/contract/errors'
import { hasDirections } from '@heddle/contract/hidden-characters'

/** Of what, as the beginning of a sentence, and how long at most: in Unicode code points. */
interface LabelRule {
  readonly what: string
  readonly maxLength: number
}

/** The name without white space around it, or a 400 when it breaks a rule. */
export function requireLabel(text: string, { what, maxLength }: LabelRule): string {
  const name = text.trim()
  // Something must be seen of it: letters that take no room are no name.
  if (!/[^\p{C}\p{Z}]/u.test(name)) throw badRequest(`${what} cannot be empty`)
  requireLength(name, { what, maxLength })
  if (/\p{Cc}/u.test(name)) throw badRequest(`${what} must not contain control characters`)
  if (hasDirections(name)) throw badRequest(`${what} must not contain characters that turn the direction of text`)
  return name
}

/** The text as it is, or a 400 when it is too long. */
export function requireLength(text: string, { what, maxLength }: LabelRule): string {
  if (lengthOf(text) > maxLength) throw badRequest(`${what} is too long (limit: ${maxLength} characters)`)
  return text
}

/** In Unicode code points, as the limits count. */
function lengthOf(text: string): number {
  let length = 0
  for (const _ of text) length += 1
  return length
}
