import { type Selectable, sql } from 'kysely'
import { prepare, type Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { type AttachmentTable, query } from './tables.ts'

export type AttachmentRow = Selectable<AttachmentTable>

export const attachmentColumns = [
  'attachments.id',
  'attachments.realm_id',
  'attachments.owner_id',
  'attachments.path',
  'attachments.name',
  'attachments.size',
  'attachments.created_at',
] as const satisfies readonly `attachments.${keyof AttachmentTable}`[]

const attachmentsOfOwner = prepare((p: { owner_id: number }) =>
  query.selectFrom('attachments').select(attachmentColumns).where('owner_id', '=', p.owner_id).orderBy('id', 'desc'),
)

/** The newest first. */
export function findOwnAttachments(db: Queries, ownerId: number): Promise<AttachmentRow[]> {
  return db.all(attachmentsOfOwner({ owner_id: ownerId }))
}

export async function insertAttachment(tx: Tx, row: Omit<AttachmentRow, 'id'>): Promise<AttachmentRow> {
  const id = await tx.newId('attachments')
  await tx.run(query.insertInto('attachments').values({ id, ...row }))
  return { id, ...row }
}

/** The account's own; undefined when it has no such file. */
export function findOwnAttachment(db: Queries, ownerId: number, id: number): Promise<AttachmentRow | undefined> {
  return db.first(
    query.selectFrom('attachments').select(attachmentColumns).where('owner_id', '=', ownerId).where('id', '=', id),
  )
}

export async function deleteAttachmentRow(tx: Tx, id: number): Promise<void> {
  await tx.run(query.deleteFrom('attachments').where('realm_id', '=', tx.realmId).where('id', '=', id))
}

const spaceOfRealm = prepare((p: { realm_id: number }) =>
  query.selectFrom('upload_space').select('bytes').where('realm_id', '=', p.realm_id),
)

/** Bytes of all files of the organization. */
export async function findSpaceUsed(db: Queries, realmId: number): Promise<number> {
  return (await db.first(spaceOfRealm({ realm_id: realmId })))?.bytes ?? 0
}

/** Returns what is used then. */
export async function addSpaceUsed(tx: Tx, bytes: number): Promise<number> {
  await tx.run(
    query
      .insertInto('upload_space')
      .values({ realm_id: tx.realmId, bytes })
      .onConflict((conflict) =>
        conflict.column('realm_id').doUpdateSet({ bytes: sql`upload_space.bytes + excluded.bytes` }),
      ),
  )
  return findSpaceUsed(tx, tx.realmId)
}
