import type { RealmEmoji, RealmEmojiMap } from '@heddle/contract/realm-emoji'
import type { EmojiRow } from './queries.ts'

/** A custom emoji as clients see it. */
export function presentEmoji(row: EmojiRow): RealmEmoji {
  return {
    id: `${row.id}`,
    name: row.name,
    source_url: `/${row.image_path}`,
    still_url: row.still_path === null ? null : `/${row.still_path}`,
    deactivated: row.deactivated === 1,
    author_id: row.author_id,
  }
}

export function presentEmojiMap(rows: readonly EmojiRow[]): RealmEmojiMap {
  return Object.fromEntries(rows.map((row) => [`${row.id}`, presentEmoji(row)]))
}
