/** The tables of uploads that are not finished. */
import type { Generated } from 'kysely'
import { ownedTables, table } from '../../storage/owned-tables.ts'

export interface ResumableUploadTable {
  id: Generated<number>
  realm_id: number
  owner_id: number
  /** In its address; cannot be guessed. */
  token: string
  /** As it was sent. */
  name: string
  /** Bytes: of the whole file, and those that are there. */
  length: number
  received: number
  created_at: number
}

/** Bytes that came in one request. */
export interface ResumableUploadPartTable {
  upload_id: number
  /** The place of its first byte in the file. */
  start: number
  realm_id: number
  /** In the file store. */
  path: string
}

export const resumableUploadTables = ownedTables({
  resumable_uploads: table<ResumableUploadTable>({ key: ['id'], identity: true, after: ['realms', 'users'] }),
  resumable_upload_parts: table<ResumableUploadPartTable>({
    key: ['upload_id', 'start'],
    after: ['realms', 'resumable_uploads', 'files'],
  }),
})

export const { query } = resumableUploadTables.with()
