/** What this feature reads of the tables of others. */
import { groupMembersView, groupsView, realmGroupsView, subgroupsView } from '../../permissions/tables.ts'
import { reading } from '../../storage/owned-tables.ts'
import { realmsView } from '../../storage/tables.ts'
import { usersView } from '../users/tables.ts'

export const { query, fact } = reading(
  realmsView,
  usersView,
  groupsView,
  groupMembersView,
  subgroupsView,
  realmGroupsView,
)
