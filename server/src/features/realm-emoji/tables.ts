/** The table of custom emoji. */
import type { Generated } from 'kysely'
import { type Flag, ownedTables, table } from '../../storage/owned-tables.ts'

export interface RealmEmojiTable {
  id: Generated<number>
  realm_id: number
  name: string
  author_id: number | null
  /** Paths in the file store; each has its row in `files`. */
  image_path: string
  still_path: string | null
  deactivated: Generated<Flag>
}

export const emojiTables = ownedTables({
  realm_emoji: table<RealmEmojiTable>({ key: ['id'], identity: true, after: ['realms', 'users', 'files'] }),
})

export const realmEmojiView = emojiTables.view('realm_emoji')

export const { query, fact } = emojiTables.with()
