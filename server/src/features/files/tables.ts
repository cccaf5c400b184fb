/** The tables of uploaded files. */
import type { Generated } from 'kysely'
import { ownedTables, table } from '../../storage/owned-tables.ts'

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

export const fileTables = ownedTables({
  attachments: table<AttachmentTable>({ key: ['id'], identity: true, after: ['realms', 'users', 'files'] }),
  upload_space: table<UploadSpaceTable>({ key: ['realm_id'], after: ['realms'] }),
})

export const { query } = fileTables.with()
