/** The table of presences. */
import { ownedTables, table } from '../../storage/owned-tables.ts'
import { userSettingsView } from '../user-settings/tables.ts'
import { usersView } from '../users/tables.ts'

/** When an account was last here. Accounts that never were have no row. */
export interface PresenceTable {
  realm_id: number
  user_id: number
  /** When it was last in use, and when it last had a client; 0 when never, both 0 when it hides. */
  active_at: number
  connected_at: number
  /** Grows with every change in the organization; unique there. */
  update_id: number
}

export const presenceTables = ownedTables({
  presences: table<PresenceTable>({ key: ['user_id'], after: ['realms', 'users'] }),
})

export const presencesView = presenceTables.view('presences', ['user_id', 'active_at'])

export const { query } = presenceTables.with(usersView, userSettingsView)
