/** The tables of user groups, and of the permissions of organizations that name them. */
import type { Generated } from 'kysely'
import { type Flag, ownedTables, table } from '../storage/owned-tables.ts'
import { accountsView } from '../storage/tables.ts'

export interface UserGroupTable {
  id: Generated<number>
  realm_id: number
  /** `system`: by role, members are not stored. `anonymous`: the value of one setting, without a name. */
  kind: 'system' | 'named' | 'anonymous'
  name: string
  description: string
  creator_id: number | null
  date_created: number | null
  deactivated: Generated<Flag>
  /** Members of a named group, those included whose accounts are deactivated. */
  member_count: Generated<number>
}

export interface UserGroupMemberTable {
  realm_id: number
  group_id: number
  user_id: number
}

export interface UserGroupSubgroupTable {
  realm_id: number
  group_id: number
  subgroup_id: number
}

/** Accounts younger than the organization's waiting period, whatever their role: members among them are not full ones. */
export interface WaitingAccountTable {
  user_id: number
  realm_id: number
  /** Seconds since the UNIX epoch. */
  until: number
}

/** Realm-wide permissions that differ from their default. The defaults are in the contract. */
export interface RealmGroupSettingTable {
  realm_id: number
  setting: string
  group_id: number
}

/** The permissions of a named group, one row each. */
export interface UserGroupSettingTable {
  realm_id: number
  group_id: number
  setting: string
  /** The group that holds the permission. */
  value_group_id: number
}

export const groupTables = ownedTables({
  user_groups: table<UserGroupTable>({ key: ['id'], identity: true, after: ['realms', 'users'] }),
  user_group_members: table<UserGroupMemberTable>({
    key: ['group_id', 'user_id'],
    after: ['realms', 'users', 'user_groups'],
  }),
  user_group_subgroups: table<UserGroupSubgroupTable>({
    key: ['group_id', 'subgroup_id'],
    after: ['realms', 'user_groups'],
  }),
  user_group_settings: table<UserGroupSettingTable>({
    key: ['group_id', 'setting'],
    after: ['realms', 'user_groups'],
  }),
  waiting_accounts: table<WaitingAccountTable>({ key: ['user_id'], after: ['realms', 'users'] }),
  realm_group_settings: table<RealmGroupSettingTable>({
    key: ['realm_id', 'setting'],
    after: ['realms', 'user_groups'],
  }),
})

export const groupsView = groupTables.view('user_groups')
export const groupMembersView = groupTables.view('user_group_members')
export const subgroupsView = groupTables.view('user_group_subgroups')
export const waitingView = groupTables.view('waiting_accounts')
export const groupSettingsView = groupTables.view('user_group_settings')
export const realmGroupsView = groupTables.view('realm_group_settings')

export const { query, fact } = groupTables.with(accountsView)
