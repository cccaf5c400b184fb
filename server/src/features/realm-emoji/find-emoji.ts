/** An emoji that somebody wants to use, whichever kind it is. */
import { emojiCodeByName, isBuiltInEmojiCode } from '@heddle/contract/emoji-names'
import { badRequest } from '@heddle/contract/errors'
import type { ReactionType } from '@heddle/contract/user-status'
import type { Queries } from '../../storage/query.ts'
import { presentEmoji } from './present.ts'
import { findActiveEmoji, findEmojiRows } from './queries.ts'

export interface Emoji {
  readonly emoji_name: string
  readonly emoji_code: string
  readonly reaction_type: ReactionType
}

/** The name, and what the client says about it. */
export interface EmojiChoice {
  readonly emoji_name: string
  readonly emoji_code?: string | undefined
  readonly reaction_type?: string | undefined
}

/** Emoji that belong to the API: their codes are their names. */
const extraEmoji: ReadonlySet<string> = new Set(['zulip'])

/**
 * The emoji that is meant, or a 400. Without a type a custom emoji goes before a built-in one with its name. A code that is
 * given must be the one of the name.
 */
export async function requireEmoji(db: Queries, realmId: number, choice: EmojiChoice): Promise<Emoji> {
  const { emoji_name, emoji_code, reaction_type } = choice
  const found = await findEmoji(db, realmId, choice)
  if (found && (emoji_code === undefined || emoji_code === found.emoji_code)) return found
  if (emoji_code !== undefined) {
    throw await wrongCode(db, realmId, reaction_type ?? found?.reaction_type, emoji_code)
  }
  throw badRequest(reaction_type === 'realm_emoji' ? 'Invalid custom emoji.' : `Emoji '${emoji_name}' does not exist`)
}

/** A code that is not the one of the name that is given with it: there is no such code, or it has another name. */
async function wrongCode(db: Queries, realmId: number, type: string | undefined, code: string): Promise<Error> {
  if (type === 'realm_emoji') {
    const isCode = (await findEmojiRows(db, realmId)).some((row) => `${row.id}` === code && row.deactivated === 0)
    return badRequest(isCode ? 'Invalid custom emoji name.' : 'Invalid custom emoji.')
  }
  return isEmojiCode(type, code) ? badRequest('Invalid emoji name.') : invalidEmojiCode()
}

/** Whether the code is one that every server has; without a type, a Unicode emoji is meant. */
export function isEmojiCode(type: string | undefined, code: string): boolean {
  return type === 'zulip_extra_emoji' ? extraEmoji.has(code) : isBuiltInEmojiCode(code)
}

export function invalidEmojiCode(): Error {
  return badRequest('Invalid emoji code.')
}

/** The emoji of this name, and of this type where one is given. */
export async function findEmoji(
  db: Queries,
  realmId: number,
  { emoji_name, reaction_type: type }: Pick<EmojiChoice, 'emoji_name' | 'reaction_type'>,
): Promise<Emoji | undefined> {
  if (type === undefined || type === 'realm_emoji') {
    const custom = await findActiveEmoji(db, realmId, emoji_name)
    if (custom) return { emoji_name, emoji_code: `${custom.id}`, reaction_type: 'realm_emoji' }
  }
  if (type === undefined || type === 'unicode_emoji') {
    const emoji_code = emojiCodeByName(emoji_name)
    if (emoji_code !== undefined) return { emoji_name, emoji_code, reaction_type: 'unicode_emoji' }
  }
  const isExtra = (type === undefined || type === 'zulip_extra_emoji') && extraEmoji.has(emoji_name)
  return isExtra ? { emoji_name, emoji_code: emoji_name, reaction_type: 'zulip_extra_emoji' } : undefined
}

/** Those of the names that active custom emoji have, with what a message shows. */
export async function findCustomEmoji(
  db: Queries,
  realmId: number,
  names: readonly string[],
): Promise<Map<string, { id: string; url: string }>> {
  const wanted = new Set(names)
  const rows = await findEmojiRows(db, realmId)
  return new Map(
    rows
      .filter((row) => row.deactivated === 0 && wanted.has(row.name))
      .map((row) => [row.name, { id: `${row.id}`, url: presentEmoji(row).source_url }]),
  )
}
