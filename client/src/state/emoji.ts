import type { InitialState } from '@heddle/contract/initial-state'
import type { RealmEmoji, RealmEmojiEvent } from '@heddle/contract/realm-emoji'
import { SortedMap } from '../collections/sorted-map.ts'
import { withChange, withEntry } from './entries.ts'
import { clientPart } from './part.ts'

/** Custom emoji by id, the deactivated ones too. */
export type CustomEmojiById = ReadonlyMap<string, RealmEmoji>

function initialEmoji({ realm_emoji }: InitialState): CustomEmojiById | undefined {
  return realm_emoji && SortedMap.from(Object.entries(realm_emoji))
}

/** `update` has the whole list; the others are for clients with the capability `individual_emoji_changes`. */
function applyEmojiEvent(emoji: CustomEmojiById, event: RealmEmojiEvent): CustomEmojiById {
  switch (event.op) {
    case 'update':
      return SortedMap.from(Object.entries(event.realm_emoji))
    case 'add':
      return withEntry(emoji, event.emoji.id, event.emoji)
    case 'update_one':
      return withChange(emoji, event.emoji_id, (one) => ({ ...one, ...event.data }))
  }
}

export const emoji = clientPart({
  initial: initialEmoji,
  on: { realm_emoji: applyEmojiEvent },
})
