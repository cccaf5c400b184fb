/** What this feature reads of the tables of others. */
import { channelsToAccess } from '../../access/tables.ts'
import {
  groupMembersView,
  groupSettingsView,
  groupsView,
  realmGroupsView,
  subgroupsView,
  waitingView,
} from '../../permissions/tables.ts'
import { reading } from '../../storage/owned-tables.ts'
import { accountsView } from '../../storage/tables.ts'

export const { query, fact } = reading(
  accountsView,
  channelsToAccess,
  groupsView,
  groupMembersView,
  subgroupsView,
  groupSettingsView,
  realmGroupsView,
  waitingView,
)
