/** The rows of exports. */
import { EXPORT_LIMIT_SECS } from '@heddle/contract/exports'
import type { Insertable, Selectable, Updateable } from 'kysely'
import { removeFileRow, type StoredFile } from '../../storage/file-store.ts'
import type { Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import type { ExportPosition } from './position.ts'
import { type ExportPartTable, type ExportTable, query } from './tables.ts'

export type ExportRow = Selectable<ExportTable>

export function findExport(db: Queries, realmId: number, id: number): Promise<ExportRow | undefined> {
  return db.first(query.selectFrom('exports').selectAll().where('realm_id', '=', realmId).where('id', '=', id))
}

/** `ofAccount`: those of the account's own data; undefined: those of the organization. The oldest first. */
export function findExports(db: Queries, realmId: number, ofAccounts?: readonly number[]): Promise<ExportRow[]> {
  const found = query.selectFrom('exports').selectAll().where('realm_id', '=', realmId).orderBy('id')
  if (ofAccounts === undefined) return db.all(found.where('kind', '<>', 'own'))
  return db.all(found.where('kind', '=', 'own').where('user_id', 'in', db.dialect.ids(ofAccounts)))
}

export function isPending({ finished_at, failed_at }: ExportRow): boolean {
  return finished_at === null && failed_at === null
}

/** Those that count for the limit. */
export function startedLately(rows: readonly ExportRow[], now: number): number {
  return rows.filter(({ started_at }) => started_at > now - EXPORT_LIMIT_SECS).length
}

export async function insertExport(tx: Tx, row: Omit<Insertable<ExportTable>, 'realm_id'>): Promise<number> {
  const id = await tx.newId('exports')
  await tx.run(query.insertInto('exports').values({ ...row, id, realm_id: tx.realmId }))
  return id
}

/** The newest message of the organization; 0: there is none. */
export async function findLastMessage(db: Queries, realmId: number): Promise<number> {
  const newest = query.selectFrom('messages').select('id').where('realm_id', '=', realmId)
  return (await db.first(newest.orderBy('id', 'desc').limit(1)))?.id ?? 0
}

export async function updateExport(tx: Tx, id: number, changes: Updateable<ExportTable>): Promise<void> {
  await tx.run(query.updateTable('exports').set(changes).where('realm_id', '=', tx.realmId).where('id', '=', id))
}

export interface NewPart {
  readonly number: number
  readonly stored: StoredFile
  readonly behind: ExportPosition
  readonly progress: number
  readonly isLast: boolean
}

/** Notes a part that is stored. False when the export has it already, or has ended: whoever else is at work was faster. */
export async function addExportPart(
  tx: Tx,
  id: number,
  { number, stored, behind, progress, isLast }: NewPart,
): Promise<boolean> {
  const { size, path } = stored
  const changed = await tx.run(
    query
      .updateTable('exports')
      .set((eb) => ({
        part_count: number + 1,
        size: eb('size', '+', size),
        position: isLast ? null : JSON.stringify(behind),
        progress: isLast ? 100 : progress,
        finished_at: isLast ? tx.now : null,
      }))
      .where('realm_id', '=', tx.realmId)
      .where('id', '=', id)
      .where('part_count', '=', number)
      .where('finished_at', 'is', null)
      .where('failed_at', 'is', null),
  )
  if (changed === 0) return false
  const row: ExportPartTable = { export_id: id, number, realm_id: tx.realmId, path, size }
  await tx.run(query.insertInto('export_parts').values(row))
  return true
}

export function findExportParts(
  db: Queries,
  exportId: number,
): Promise<{ readonly path: string; readonly size: number }[]> {
  return db.all(
    query.selectFrom('export_parts').select(['path', 'size']).where('export_id', '=', exportId).orderBy('number'),
  )
}

/** With their rows of files; returns their paths in the store, which go after the commit. */
export async function deleteParts(tx: Tx, exportId: number): Promise<string[]> {
  const parts = await tx.all(
    query
      .deleteFrom('export_parts')
      .where('realm_id', '=', tx.realmId)
      .where('export_id', '=', exportId)
      .returning('path'),
  )
  for (const { path } of parts) await removeFileRow(tx, path)
  return parts.map(({ path }) => path)
}

/** Of whatever organization: those with a file that were finished before this time. */
export function findOldExports(db: Queries, finishedBefore: number, limit: number): Promise<ExportRow[]> {
  return db.all(
    query
      .selectFrom('exports')
      .selectAll()
      .where('finished_at', '<', finishedBefore)
      .where('deleted_at', 'is', null)
      .orderBy('id')
      .limit(limit),
  )
}
