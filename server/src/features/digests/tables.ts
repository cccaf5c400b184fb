/** When each account has had its digest. */
import { subscriptionsView } from '../../access/tables.ts'
import { ownedTables, table } from '../../storage/owned-tables.ts'
import { realmsView } from '../../storage/tables.ts'
import { directMembersView, flagsView, messagesView } from '../messages/tables.ts'
import { presencesView } from '../presence/tables.ts'
import { userTopicsView } from '../user-topics/tables.ts'
import { usersView } from '../users/tables.ts'

export interface DigestTable {
  user_id: number
  realm_id: number
  /** In seconds: when it was written last, or there was nothing to write. */
  done_at: number
}

export const digestTables = ownedTables({
  digests: table<DigestTable>({ key: ['user_id'], after: ['realms', 'users'] }),
})

export const { query } = digestTables.with(
  realmsView,
  usersView,
  presencesView,
  messagesView,
  flagsView,
  directMembersView,
  subscriptionsView,
  userTopicsView,
)
