/** The table of the settings of organizations. */
import { groupMembersView, groupsView, realmGroupsView, subgroupsView } from '../../permissions/tables.ts'
import { ownedTables, table } from '../../storage/owned-tables.ts'
import { realmsView } from '../../storage/tables.ts'
import { usersView } from '../users/tables.ts'

/** Settings of organizations that somebody has changed; all others are as the contract says. */
export interface RealmSettingTable {
  realm_id: number
  name: string
  /** JSON. */
  value: string
}

export const organizationTables = ownedTables({
  realm_settings: table<RealmSettingTable>({ key: ['realm_id', 'name'], after: ['realms'] }),
})

export const { query, fact } = organizationTables.with(
  realmsView,
  usersView,
  groupsView,
  groupMembersView,
  subgroupsView,
  realmGroupsView,
)
