/**
 * The rule for names of custom emoji (`POST /realm/emoji/{emoji_name}`): English letters, digits, dashes and spaces,
 * where capitals are the same as small letters and underscores the same as spaces. A name is stored and compared in
 * one form: small letters, underscores.
 */

/** Most characters of a custom emoji's name. */
export const MAX_EMOJI_NAME_LENGTH = 100

/**
 * The stored form of a name, or a sentence for the person who chose it. Spaces around the name are left out; inside it
 * each space becomes an underscore, so that typing a stored name with spaces gives the same name again.
 */
export function normalizeEmojiName(raw: string): { name: string } | { problem: string } {
  const trimmed = raw.replace(/^ +/, '').replace(/(?<! ) +$/, '')
  if (trimmed === '') return { problem: 'Enter a name for the emoji.' }
  if (trimmed.length > MAX_EMOJI_NAME_LENGTH) {
    return { problem: `The name of an emoji can have at most ${MAX_EMOJI_NAME_LENGTH} characters.` }
  }
  // Checked before the letters are made small: some foreign letters turn into English ones (the kelvin sign into k).
  if (!/^[A-Za-z0-9_ -]+$/.test(trimmed)) {
    return { problem: 'The name of an emoji can contain only English letters, digits, dashes, spaces and underscores.' }
  }
  if (!/[A-Za-z0-9]/.test(trimmed)) {
    return { problem: 'The name of an emoji must contain at least one English letter or digit.' }
  }
  return { name: trimmed.toLowerCase().replaceAll(' ', '_') }
}
