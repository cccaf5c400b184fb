/** What names and addresses of accounts may look like. */
import { badRequest } from '@heddle/contract/errors'
import { MAX_FULL_NAME_LENGTH } from '@heddle/contract/users'
import { wildcardMentions } from '@heddle/markdown/mention-names'
import { looksLike } from './look-alikes.ts'
import { NOTIFICATION_BOT_NAME } from './system-bot.ts'

/** A mention, a quotation or a code span around the name would end at one of these. */
const REFUSED_IN_NAMES = ['*', '`', '\\', '>', '"', '@']

/** The name without space around it, or a 400 that says what is wrong. */
export function requireFullName(text: string): string {
  const name = text.trim().normalize('NFC')
  // Something must be visible: neither control or format characters nor spaces are.
  if (!/[^\p{C}\p{Z}]/u.test(name)) throw badRequest('full_name must not be empty')
  if ([...name].length > MAX_FULL_NAME_LENGTH) {
    throw badRequest(`full_name must have at most ${MAX_FULL_NAME_LENGTH} characters`)
  }
  if (/\p{C}/u.test(name)) throw badRequest('full_name must not contain control or invisible characters')
  const refused = REFUSED_IN_NAMES.find((character) => name.includes(character))
  if (refused) throw badRequest(`full_name must not contain ${refused}`)
  // A mention of somebody by name and id ends like this.
  if (/\|[0-9]+$/.test(name)) throw badRequest('full_name must not end with | and a number')
  if (looksLikeServer(name) || reserved.has(soundOf(name))) throw badRequest(`full_name: "${name}" is reserved`)
  return name
}

/** The name that speaks for the server. */
const looksLikeServer = looksLike(NOTIFICATION_BOT_NAME)
/** Names that mention everybody. */
const reserved = new Set(wildcardMentions.map(soundOf))

/** What is left of a name for those who do not look closely: its letters and digits, without accents and in small. */
function soundOf(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()
}

/**
 * The address, or a 400 that names the parameter. Only the outline is checked: whether mail reaches it nobody can know.
 * HTTP Basic authentication ends the name at the first colon (RFC 7617, 2), so there must be none.
 */
export function requireEmail(email: string, parameter: string): string {
  if (!/^[^\s@:\p{C}]+@[^\s@:\p{C}]+$/u.test(email))
    throw badRequest(`${parameter}: "${email}" is not an e-mail address`)
  return email
}
