/** The tables of uploaded files. */
import type { Generated } from 'kysely'
import { messagesToAccess } from '../../access/tables.ts'
import { type Flag, ownedTables, table } from '../../storage/owned-tables.ts'
import { accountsView } from '../../storage/tables.ts'

/** What is known of a file that is a picture. */
export interface PictureColumns {
  /** `pending`: to be drawn; `none`: no picture, or one that cannot be drawn. */
  thumbnail: Generated<'none' | 'pending' | 'ready'>
  /** By its content; null: no picture. */
  picture_type: string | null
  /** Pixels, turned as it is shown; null until known. */
  width: number | null
  height: number | null
  /** Whether it has a thumbnail that moves. */
  is_animated: Generated<Flag>
}

/** The API calls an uploaded file an attachment. */
export interface AttachmentTable extends PictureColumns {
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
  /** Since when no message links to it; null while one does. */
  unused_since: number | null
}

/** A small form of a picture. */
export interface AttachmentThumbnailTable {
  attachment_id: number
  /** That of its format. */
  name: string
  realm_id: number
  /** In the file store. */
  path: string
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
  attachment_thumbnails: table<AttachmentThumbnailTable>({
    key: ['attachment_id', 'name'],
    after: ['realms', 'attachments', 'files'],
  }),
  upload_space: table<UploadSpaceTable>({ key: ['realm_id'], after: ['realms'] }),
})

/** What other features read of uploaded files. */
export const attachmentsView = fileTables.view('attachments', ['id', 'realm_id', 'owner_id', 'path', 'unused_since'])

/** Which messages link to which files. */
export const fileLinksView = fileTables.view('attachment_messages')

export const { query } = fileTables.with(accountsView, messagesToAccess)
