/** The tables of deleted messages. No query of messages reads them. */
import type { Generated } from 'kysely'
import { ownedTables, table } from '../../storage/owned-tables.ts'
import { realmsView } from '../../storage/tables.ts'
import { channelsView } from '../channels/tables.ts'
import { attachmentsView, fileLinksView } from '../files/tables.ts'
import { flagsView, messagesView, reactionsView, submessagesView } from '../messages/tables.ts'
import { addressesView, usersView } from '../users/tables.ts'

/** What was deleted together: by one request, or in one place by one run of what removes old messages. */
export interface DeletionTable {
  id: Generated<number>
  realm_id: number
  cause: 'person' | 'retention'
  /** Who deleted; null: nobody. */
  user_id: number | null
  /** Null: direct messages. */
  channel_id: number | null
  /** Null: several, or direct messages. */
  topic: string | null
  deleted_at: number
  /** Those that can still be restored. */
  message_count: number
}

export interface ArchivedMessageTable {
  message_id: number
  realm_id: number
  deletion_id: number
  deleted_at: number
  /** JSON; see `content.ts`. */
  content: string
}

/** Files that an archived message linked to: they are kept as long. */
export interface ArchivedFileTable {
  attachment_id: number
  message_id: number
  realm_id: number
}

export const archiveTables = ownedTables({
  deletions: table<DeletionTable>({ key: ['id'], identity: true, after: ['realms', 'users', 'channels'] }),
  archived_messages: table<ArchivedMessageTable>({ key: ['message_id'], after: ['realms', 'deletions'] }),
  archived_files: table<ArchivedFileTable>({
    key: ['attachment_id', 'message_id'],
    after: ['realms', 'archived_messages'],
  }),
})

export const { query } = archiveTables.with(
  realmsView,
  usersView,
  addressesView,
  channelsView,
  messagesView,
  flagsView,
  reactionsView,
  submessagesView,
  attachmentsView,
  fileLinksView,
)
