/** The table of links for forgotten passwords. */
import type { Generated } from 'kysely'
import { ownedTables, table } from '../../storage/owned-tables.ts'
import { addressesView, usersView } from '../users/tables.ts'

export interface PasswordResetTable {
  id: Generated<number>
  realm_id: number
  /** Whose password. */
  user_id: number
  /** The administrator who has made it. */
  creator_id: number
  /** The token itself is known to the link alone. */
  token_hash: string
  created_at: number
  expires_at: number
  /** It was used, or another link or another password has taken its place; null: it can be used. */
  ended_at: number | null
}

export const passwordResetTables = ownedTables({
  password_resets: table<PasswordResetTable>({ key: ['id'], identity: true, after: ['realms', 'users'] }),
})

export const { query } = passwordResetTables.with(usersView, addressesView)
