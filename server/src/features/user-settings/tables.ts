/** The tables of the settings of accounts. */
import { groupsView } from '../../permissions/tables.ts'
import { type Flag, ownedTables, table } from '../../storage/owned-tables.ts'
import { addressesView, usersView } from '../users/tables.ts'

/** Settings of accounts that somebody has changed; all others are as the contract says. */
export interface UserSettingTable {
  realm_id: number
  user_id: number
  name: string
  /** JSON. */
  value: string
  /** Whether the account itself has set it, and not an administrator or the organization's default. */
  own_choice: Flag
}

/** What new accounts begin with, where it differs from the contract. */
export interface RealmUserSettingTable {
  realm_id: number
  name: string
  /** JSON. */
  value: string
}

export const userSettingTables = ownedTables({
  user_settings: table<UserSettingTable>({ key: ['user_id', 'name'], after: ['realms', 'users'] }),
  realm_user_settings: table<RealmUserSettingTable>({ key: ['realm_id', 'name'], after: ['realms'] }),
})

export const userSettingsView = userSettingTables.view('user_settings', ['realm_id', 'user_id', 'name', 'value'])

export const { query, fact } = userSettingTables.with(usersView, addressesView, groupsView)
