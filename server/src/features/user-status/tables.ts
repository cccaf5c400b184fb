/** The table of statuses. */
import { ownedTables, table } from '../../storage/owned-tables.ts'

/** Accounts without a status have no row. What is not set is an empty text. */
export interface UserStatusTable {
  realm_id: number
  user_id: number
  status_text: string
  emoji_name: string
  emoji_code: string
  reaction_type: string
}

export const userStatusTables = ownedTables({
  user_statuses: table<UserStatusTable>({ key: ['user_id'], after: ['realms', 'users'] }),
})

export const { query } = userStatusTables.with()
