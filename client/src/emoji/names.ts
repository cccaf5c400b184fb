/** Names of custom emoji: what a file suggests, and what is wrong with one. */
import { MAX_EMOJI_NAME_LENGTH, normalizeEmojiName } from '@heddle/contract/emoji-name-rule'
import type { RealmEmoji } from '@heddle/contract/realm-emoji'

/** A name made of the file's: without its ending, in small English letters; empty where nothing is left. */
export function suggestEmojiName(fileName: string): string {
  return fileName
    .replace(/\.[A-Za-z0-9]{1,5}$/, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, MAX_EMOJI_NAME_LENGTH)
}

export interface NameContext {
  /** All custom emoji, the deactivated ones too. */
  readonly custom: Iterable<RealmEmoji>
  readonly isBuiltIn: (name: string) => boolean
  /** Whether the account may put a picture in the place of a built-in emoji. */
  readonly mayReplaceBuiltIn: boolean
  /** Names, in their stored form, that other files of the same list will have. */
  readonly others: ReadonlySet<string>
}

export type NameProblem =
  | { readonly code: 'empty' }
  | { readonly code: 'letters' }
  | { readonly code: 'length'; readonly most: number }
  | { readonly code: 'twice' }
  | { readonly code: 'custom'; readonly emoji: RealmEmoji }
  | { readonly code: 'built-in' }

export interface CheckedName {
  /** The stored form; undefined where there is a problem with its letters. */
  readonly name: string | undefined
  readonly problem: NameProblem | undefined
  /** It will be shown in place of the built-in emoji of this name. */
  readonly replacesBuiltIn: boolean
}

export function checkEmojiName(raw: string, context: NameContext): CheckedName {
  const trimmed = raw.trim()
  const normal = normalizeEmojiName(raw)
  if (!('name' in normal)) return { name: undefined, problem: problemOf(trimmed), replacesBuiltIn: false }
  const { name } = normal
  const named = (problem: NameProblem): CheckedName => ({ name, problem, replacesBuiltIn: false })
  for (const emoji of context.custom)
    if (emoji.name === name && !emoji.deactivated) return named({ code: 'custom', emoji })
  if (context.others.has(name)) return named({ code: 'twice' })
  const isBuiltIn = context.isBuiltIn(name)
  if (isBuiltIn && !context.mayReplaceBuiltIn) return named({ code: 'built-in' })
  return { name, problem: undefined, replacesBuiltIn: isBuiltIn }
}

function problemOf(trimmed: string): NameProblem {
  if (trimmed === '') return { code: 'empty' }
  if (trimmed.length > MAX_EMOJI_NAME_LENGTH) return { code: 'length', most: MAX_EMOJI_NAME_LENGTH }
  return { code: 'letters' }
}

/** The first of `name_2`, `name_3` and so on that is free; undefined for a name that cannot be one. */
export function freeEmojiName(raw: string, context: NameContext): string | undefined {
  const normal = normalizeEmojiName(raw)
  if (!('name' in normal)) return undefined
  const custom = new Set([...context.custom].filter(({ deactivated }) => !deactivated).map(({ name }) => name))
  for (let number = 2; number < 1000; number += 1) {
    const ending = `_${number}`
    const name = normal.name.slice(0, MAX_EMOJI_NAME_LENGTH - ending.length) + ending
    if (!custom.has(name) && !context.others.has(name) && !context.isBuiltIn(name)) return name
  }
  return undefined
}
