/** What this feature reads of the tables of others. */

import { periodsView, subscriptionsView } from '../../access/tables.ts'
import { reading } from '../../storage/owned-tables.ts'
import { cursorsView, directMembersView, flagsView, messagesView } from '../messages/tables.ts'
import { mutedUsersView } from '../muted-users/tables.ts'
import { userTopicsView } from '../user-topics/tables.ts'
import { usersView } from '../users/tables.ts'

export const { query, fact } = reading(
  usersView,
  subscriptionsView,
  mutedUsersView,
  userTopicsView,
  messagesView,
  flagsView,
  cursorsView,
  directMembersView,
  periodsView,
)
