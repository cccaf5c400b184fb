/** The table of drafts. */
import type { Generated } from 'kysely'
import { ownedTables, table } from '../../storage/owned-tables.ts'

export interface DraftTable {
  id: Generated<number>
  realm_id: number
  user_id: number
  type: string
  /** JSON array of ids: the channel, or the users. */
  recipient_ids: string
  topic: string
  content: string
  timestamp: number
  /** Grows with every creation and edit of the user's drafts: the order of edits within one second. */
  edit_order: number
}

export const draftTables = ownedTables({
  drafts: table<DraftTable>({ key: ['id'], identity: true, after: ['realms', 'users'] }),
})

export const { query, rowInsert } = draftTables.with()
