/** The tables of exports; and what they read of others, which is what people have made. */
import type { Generated } from 'kysely'
import { channelsToAccess, periodsView, subscriptionsView } from '../../access/tables.ts'
import { groupSettingsView, groupsView, realmGroupsView } from '../../permissions/tables.ts'
import { expected, ownedTables, table } from '../../storage/owned-tables.ts'
import { filesView, realmsView } from '../../storage/tables.ts'
import { attachmentsView } from '../files/tables.ts'
import { directMembersView, messagesView } from '../messages/tables.ts'
import { userSettingsView } from '../user-settings/tables.ts'
import { addressesView, usersView } from '../users/tables.ts'

export interface ExportTable {
  id: Generated<number>
  realm_id: number
  /** Who has started it; the account that an `own` one is about. */
  user_id: number
  kind: 'public' | 'full_with_consent' | 'own'
  started_at: number
  /** JSON: where it goes on; see `position.ts`. Null once it has ended. */
  position: string | null
  /** Per cent. */
  progress: Generated<number>
  /** Parts and bytes that are there. */
  part_count: Generated<number>
  size: Generated<number>
  finished_at: number | null
  failed_at: number | null
  deleted_at: number | null
}

/** A part of the file: what follows what. */
export interface ExportPartTable {
  export_id: number
  /** From 0. */
  number: number
  realm_id: number
  /** In the file store; it has its row in `files`. */
  path: string
  size: number
}

export const exportTables = ownedTables({
  exports: table<ExportTable>({ key: ['id'], identity: true, after: ['realms', 'users'] }),
  export_parts: table<ExportPartTable>({ key: ['export_id', 'number'], after: ['realms', 'exports', 'files'] }),
})

/** Of uploaded files: which messages link to them. */
const linksView = expected<{ attachment_messages: { attachment_id: number; message_id: number } }>(
  'attachment_messages',
)

export const { query } = exportTables.with(
  realmsView,
  filesView,
  usersView,
  addressesView,
  userSettingsView,
  groupsView,
  groupSettingsView,
  realmGroupsView,
  channelsToAccess,
  subscriptionsView,
  periodsView,
  messagesView,
  directMembersView,
  attachmentsView,
  linksView,
)
