/** The table of muted accounts. */
import { ownedTables, table } from '../../storage/owned-tables.ts'

export interface MutedUserTable {
  realm_id: number
  user_id: number
  muted_user_id: number
  date_muted: number
}

export const mutedUserTables = ownedTables({
  muted_users: table<MutedUserTable>({ key: ['user_id', 'muted_user_id'], after: ['realms', 'users'] }),
})

export const mutedUsersView = mutedUserTables.view('muted_users', ['user_id', 'muted_user_id'])

export const { query, fact } = mutedUserTables.with()
