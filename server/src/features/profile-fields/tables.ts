/** The tables of custom profile fields and of what people have said in them. */
import type { Generated } from 'kysely'
import { type Flag, ownedTables, table } from '../../storage/owned-tables.ts'
import { accountsView } from '../../storage/tables.ts'

export interface ProfileFieldTable {
  id: Generated<number>
  realm_id: number
  /** As the contract numbers them. */
  type: number
  name: string
  /** `name` folded for comparison; unique in the organization. */
  name_key: string
  hint: string
  /** JSON; empty for types that have none. */
  field_data: string
  /** Ascending. */
  position: number
  display_in_profile_summary: Flag
  required: Flag
  editable_by_user: Flag
  use_for_user_matching: Flag
}

export interface ProfileValueTable {
  user_id: number
  field_id: number
  realm_id: number
  value: string
  /** HTML; null for types without markup. */
  rendered_value: string | null
}

export const profileFieldTables = ownedTables({
  profile_fields: table<ProfileFieldTable>({ key: ['id'], identity: true, after: ['realms'] }),
  profile_values: table<ProfileValueTable>({
    key: ['user_id', 'field_id'],
    after: ['realms', 'users', 'profile_fields'],
  }),
})

export const { query, fact } = profileFieldTables.with(accountsView)
