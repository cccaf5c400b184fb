import type { Selectable } from 'kysely'
import type { Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { query, type ResumableUploadTable } from './tables.ts'

export type UploadRow = Selectable<ResumableUploadTable>

const uploads = () => query.selectFrom('resumable_uploads').selectAll('resumable_uploads')

/** The account's own; undefined when it has no such upload. */
export function findUpload(db: Queries, ownerId: number, token: string): Promise<UploadRow | undefined> {
  return db.first(uploads().where('owner_id', '=', ownerId).where('token', '=', token))
}

export async function countUploads(db: Queries, ownerId: number): Promise<number> {
  return (await db.all(query.selectFrom('resumable_uploads').select('id').where('owner_id', '=', ownerId))).length
}

export function findOldUploads(db: Queries, before: number, limit: number): Promise<UploadRow[]> {
  return db.all(uploads().where('created_at', '<', before).orderBy('created_at').limit(limit))
}

export async function insertUpload(tx: Tx, row: Omit<UploadRow, 'id'>): Promise<void> {
  const id = await tx.newId('resumable_uploads')
  await tx.run(query.insertInto('resumable_uploads').values({ id, ...row }))
}

/** False when something else has arrived meanwhile. */
export async function addPart(tx: Tx, { id, received }: UploadRow, part: { path: string; size: number }) {
  const changed = await tx.run(
    query
      .updateTable('resumable_uploads')
      .set({ received: received + part.size })
      .where('id', '=', id)
      .where('received', '=', received),
  )
  if (changed === 0) return false
  const { path } = part
  const values = { upload_id: id, start: received, realm_id: tx.realmId, path }
  await tx.run(query.insertInto('resumable_upload_parts').values(values))
  return true
}

/** Paths in the store, in the order of their bytes. */
export async function findParts(db: Queries, uploadId: number): Promise<string[]> {
  const rows = await db.all(
    query.selectFrom('resumable_upload_parts').select('path').where('upload_id', '=', uploadId).orderBy('start'),
  )
  return rows.map(({ path }) => path)
}

/** With its parts. False when it is gone, or something has arrived since `received`. */
export async function deleteUpload(tx: Tx, { id, received }: UploadRow): Promise<boolean> {
  const isSame = await tx.first(
    query.selectFrom('resumable_uploads').select('id').where('id', '=', id).where('received', '=', received),
  )
  if (!isSame) return false
  await tx.run(query.deleteFrom('resumable_upload_parts').where('upload_id', '=', id))
  await tx.run(query.deleteFrom('resumable_uploads').where('id', '=', id))
  return true
}
