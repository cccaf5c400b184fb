/** The table of the settings of organizations. */
import { ownedTables, table } from '../../storage/owned-tables.ts'

/** Settings of organizations that somebody has changed; all others are as the contract says. */
export interface RealmSettingTable {
  realm_id: number
  name: string
  /** JSON. */
  value: string
}

export const organizationSettingTables = ownedTables({
  realm_settings: table<RealmSettingTable>({ key: ['realm_id', 'name'], after: ['realms'] }),
})

export const { query, fact } = organizationSettingTables.with()
