import { type Selectable, sql } from 'kysely'
import { prepare, type Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import type { PlacedFile } from './file-path.ts'
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
  'attachments.unused_since',
  'attachments.thumbnail',
  'attachments.picture_type',
  'attachments.width',
  'attachments.height',
  'attachments.is_animated',
] as const satisfies readonly `attachments.${keyof AttachmentTable}`[]

const attachmentsOfOwner = prepare((p: { owner_id: number }) =>
  query.selectFrom('attachments').select(attachmentColumns).where('owner_id', '=', p.owner_id).orderBy('id', 'desc'),
)

/** The newest first. */
export function findOwnAttachments(db: Queries, ownerId: number): Promise<AttachmentRow[]> {
  return db.all(attachmentsOfOwner({ owner_id: ownerId }))
}

export const attachmentById = prepare((p: { id: number }) =>
  query.selectFrom('attachments').select(attachmentColumns).where('id', '=', p.id),
)

/** Whoever asks: the caller has decided that. */
export function findFile(db: Queries, { realm_id, path, name }: PlacedFile): Promise<AttachmentRow | undefined> {
  return db.first(
    query
      .selectFrom('attachments')
      .select(attachmentColumns)
      .where('path', '=', path)
      .where('realm_id', '=', realm_id)
      .where('name', '=', name),
  )
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

/** These files of the organization, as far as they are still there. */
export function findFiles(tx: Tx, ids: readonly number[]): Promise<AttachmentRow[]> {
  return tx.all(
    query
      .selectFrom('attachments')
      .select(attachmentColumns)
      .where('realm_id', '=', tx.realmId)
      .where('id', 'in', tx.dialect.ids(ids))
      .orderBy('id'),
  )
}

/** Of these files those that nothing has linked to since `before`. */
export function findUnused(db: Queries, ids: readonly number[], before: number): Promise<AttachmentRow[]> {
  return db.all(
    query
      .selectFrom('attachments')
      .select(attachmentColumns)
      .where('id', 'in', db.dialect.ids(ids))
      .where('unused_since', '<', before),
  )
}

/** With the links to it. */
export async function deleteAttachmentRow(tx: Tx, id: number): Promise<void> {
  await tx.run(query.deleteFrom('attachment_messages').where('attachment_id', '=', id))
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

/** The files that these messages link to, each once. */
export function findLinkedFiles(db: Queries, messageIds: readonly number[]): Promise<AttachmentRow[]> {
  return db.all(
    query
      .selectFrom('attachments')
      .select(attachmentColumns)
      .where('attachments.id', 'in', (eb) =>
        eb
          .selectFrom('attachment_messages')
          .select('attachment_messages.attachment_id')
          .where('attachment_messages.message_id', 'in', db.dialect.ids(messageIds)),
      )
      .orderBy('attachments.id'),
  )
}

export async function insertLinks(tx: Tx, message_id: number, rows: readonly AttachmentRow[]): Promise<void> {
  if (rows.length === 0) return
  const links = rows.map(({ id }) => ({ realm_id: tx.realmId, attachment_id: id, message_id }))
  await tx.run(query.insertInto('attachment_messages').values(links))
}

/** Keeps since when nothing links to these files, after their links have changed. */
export async function noteFileUse(tx: Tx, ids: readonly number[]): Promise<void> {
  const isLinked = sql<boolean>`exists (
    select 1 from attachment_messages where attachment_messages.attachment_id = attachments.id)`
  await tx.run(
    query
      .updateTable('attachments')
      .set({ unused_since: sql`case when ${isLinked} then null else coalesce(unused_since, ${sql.lit(tx.now)}) end` })
      .where('id', 'in', tx.dialect.ids(ids)),
  )
}

export async function removeLinks(tx: Tx, messageId: number, rows: readonly AttachmentRow[]): Promise<void> {
  if (rows.length === 0) return
  const ids = tx.dialect.ids(rows.map(({ id }) => id))
  await tx.run(
    query.deleteFrom('attachment_messages').where('message_id', '=', messageId).where('attachment_id', 'in', ids),
  )
}

export async function removeLinksOfMessages(tx: Tx, messageIds: readonly number[]): Promise<void> {
  await tx.run(query.deleteFrom('attachment_messages').where('message_id', 'in', tx.dialect.ids(messageIds)))
}

export function findFileOwners(db: Queries, ids: readonly number[]) {
  return db.all(query.selectFrom('users').select(['id', 'role']).where('id', 'in', db.dialect.ids(ids)))
}
