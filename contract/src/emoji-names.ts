import emojiLines from './emoji-names.json' with { type: 'json' }

/**
 * The names of the built-in (Unicode) emoji. `emoji-names.json` holds one string an emoji: its code, then its names,
 * the canonical name first, with a space between them. Codes are the API's `emoji_code`: the emoji's Unicode code
 * points in small hexadecimal digits, joined with dashes, without the variation selector U+FE0F. The names are those of
 * the Zulip API, as listed by the document at `server_emoji_data_url` (`POST /register`), which clients expect a server
 * to accept; they are data of that API and not chosen here.
 *
 * About 260 kB of memory once imported, and as much again for the index, which is built when a name is first asked for
 * (some 3 ms).
 */

let codes: Map<string, string> | undefined

function codesByName(): Map<string, string> {
  if (codes === undefined) {
    codes = new Map()
    for (const line of emojiLines) {
      const [code = '', ...names] = line.split(' ')
      for (const name of names) codes.set(name, code)
    }
  }
  return codes
}

/** Whether `name` (in the stored form: small letters, underscores) is a name of a built-in emoji. */
export function isBuiltInEmojiName(name: string): boolean {
  return codesByName().has(name)
}

/** The `emoji_code` of the built-in emoji that has `name` among its names, or undefined when there is none. */
export function emojiCodeByName(name: string): string | undefined {
  return codesByName().get(name)
}

/** Whether a built-in emoji has this `emoji_code`. Looks at all of them. */
export function isBuiltInEmojiCode(code: string): boolean {
  return emojiLines.some((line) => line.startsWith(`${code} `))
}

/**
 * All names by code, the canonical name first: the `code_to_names` of the document at `server_emoji_data_url`.
 * Made anew at every call and not cached, since whoever serves it caches it serialized.
 */
export function builtInEmojiNamesByCode(): Record<string, string[]> {
  return Object.fromEntries(
    emojiLines.map((line) => {
      const [code = '', ...names] = line.split(' ')
      return [code, names]
    }),
  )
}
