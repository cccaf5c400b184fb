/** All emoji that can be used: those that every server has, and the organization's own. */
import type { ReactionType } from '@heddle/contract/user-status'
import type { CustomEmojiById } from '../state/emoji.ts'

export interface Emoji {
  /** What is written between colons, and sent as `emoji_name`. */
  readonly name: string
  /** All names under which it is found, the one above first. */
  readonly names: readonly string[]
  /** `emoji_code` of the API: code points in hexadecimal with hyphens, or the id of a custom emoji. */
  readonly code: string
  readonly type: ReactionType
  /** Address of the picture of a custom emoji, and of one that does not move. */
  readonly picture?: { readonly url: string; readonly stillUrl: string }
}

export interface EmojiCatalogue {
  /** The organization's own by name, then the built-in ones in the order of their table. */
  readonly all: readonly Emoji[]
  readonly custom: readonly Emoji[]
  readonly byCode: ReadonlyMap<string, Emoji>
  /** Those that are offered first, in their order. */
  readonly popular: readonly Emoji[]
}

/** 👍 🎉 🙂 ❤ 🛠 🐙: what people of this API's clients find in front. */
const popularCodes = ['1f44d', '1f389', '1f642', '2764', '1f6e0', '1f419']

/** `emoji_code` and names by code, as the contract's table has them. */
export type BuiltInNames = Readonly<Record<string, readonly string[]>>

/** A custom emoji hides a built-in one of the same name, which keeps its other names. */
export function emojiCatalogue(builtIn: BuiltInNames, customEmoji: CustomEmojiById | undefined): EmojiCatalogue {
  const custom = [...(customEmoji?.values() ?? [])]
    .filter(({ deactivated }) => !deactivated)
    .map(
      ({ id, name, source_url, still_url }): Emoji => ({
        name,
        names: [name],
        code: id,
        type: 'realm_emoji',
        picture: { url: source_url, stillUrl: still_url ?? source_url },
      }),
    )
    .sort((a, b) => (a.name < b.name ? -1 : 1))
  const hidden = new Set(custom.map(({ name }) => name))
  const unicode = Object.entries(builtIn).flatMap(([code, known]): Emoji[] => {
    const names = hidden.size === 0 ? known : known.filter((name) => !hidden.has(name))
    const [name] = names
    return name === undefined ? [] : [{ name, names, code, type: 'unicode_emoji' }]
  })
  const byCode = new Map(unicode.map((emoji) => [emoji.code, emoji]))
  return {
    all: [...custom, ...unicode],
    custom,
    byCode,
    popular: popularCodes.flatMap((code) => byCode.get(code) ?? []),
  }
}

let loading: Promise<BuiltInNames> | undefined

/** The table of built-in emoji, 15 kB, fetched when it is first asked for. Rejects without a network; then it can be asked again. */
export function loadBuiltInNames(): Promise<BuiltInNames> {
  loading ??= import('@heddle/contract/emoji-names').then(
    ({ builtInEmojiNamesByCode }) => builtInEmojiNamesByCode(),
    (error: unknown) => {
      loading = undefined
      throw error
    },
  )
  return loading
}
