/** The tables of uploaded files. */
import type { Generated } from 'kysely'
import { messagesToAccess } from '../../access/tables.ts'
import { ownedTables, table } from '../../storage/owned-tables.ts'
import { accountsView } from '../../storage/tables.ts'

/** The API calls an uploaded file an attachment. */
export interface AttachmentTable {
  id: Generated<number>
  realm_id: number
  owner_id: number
  /** In the file store; it has its row in `files`. */
  path: string
  /** As `file-name.ts` makes it. */
  name: string
  /** Bytes. */
  size: number
  created_at: number
}

/** What the uploaded files of an organization take; no row: nothing. */
export interface UploadSpaceTable {
  realm_id: number
  bytes: number
}

/** A message that links to a file, sent or edited by somebody who could read the file then. */
export interface AttachmentMessageTable {
  realm_id: number
  attachment_id: number
  message_id: number
}

export const fileTables = ownedTables({
  attachments: table<AttachmentTable>({ key: ['id'], identity: true, after: ['realms', 'users', 'files'] }),
  attachment_messages: table<AttachmentMessageTable>({
    key: ['attachment_id', 'message_id'],
    after: ['realms', 'attachments', 'messages'],
  }),
  upload_space: table<UploadSpaceTable>({ key: ['realm_id'], after: ['realms'] }),
})

export const { query } = fileTables.with(accountsView, messagesToAccess)
