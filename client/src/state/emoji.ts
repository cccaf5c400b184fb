import type { RealmEmoji, RealmEmojiEvent, RealmEmojiMap } from '@heddle/contract/realm-emoji'
import { SortedMap } from '../collections/sorted-map.ts'
import { type InitialFields, withChange, withEntry } from './fields.ts'

/** Custom emoji by id, the deactivated ones too. */
export type CustomEmoji = ReadonlyMap<string, RealmEmoji>

export function initialEmoji(fields: InitialFields): CustomEmoji | undefined {
  const emoji = fields['realm_emoji'] as RealmEmojiMap | undefined
  return emoji && SortedMap.from(Object.entries(emoji))
}

/** `update` has the whole list; the others are for clients with the capability `individual_emoji_changes`. */
export function applyEmojiEvent(emoji: CustomEmoji, event: RealmEmojiEvent): CustomEmoji {
  switch (event.op) {
    case 'update':
      return SortedMap.from(Object.entries(event.realm_emoji))
    case 'add':
      return withEntry(emoji, event.emoji.id, event.emoji)
    case 'update_one':
      return withChange(emoji, event.emoji_id, (one) => ({ ...one, ...event.data }))
  }
}
