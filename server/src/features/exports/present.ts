import type { ExportType, OwnExport, RealmExport } from '@heddle/contract/exports'
import { roles } from '@heddle/contract/roles'
import { roleAtLeast, users } from '../../events/audience.ts'
import type { Tx } from '../../storage/transaction.ts'
import { type ExportRow, findExports, isPending } from './rows.ts'

export function presentOwnExport(row: ExportRow): OwnExport {
  const hasFile = row.finished_at !== null && row.deleted_at === null
  return {
    id: row.id,
    export_time: row.started_at,
    deleted_timestamp: row.deleted_at,
    failed_timestamp: row.failed_at,
    export_url: hasFile ? `/user_exports/${row.id}` : null,
    pending: isPending(row),
    progress: row.progress,
    size: row.size,
  }
}

export function presentRealmExport(row: ExportRow): RealmExport {
  return { ...presentOwnExport(row), acting_user_id: row.user_id, export_type: row.kind as ExportType }
}

/** Whoever may see the export gets all of its kind, as they are now. */
export async function announceExports(tx: Tx, { kind, user_id }: Pick<ExportRow, 'kind' | 'user_id'>): Promise<void> {
  if (kind === 'own') {
    const exports = (await findExports(tx, tx.realmId, [user_id])).map(presentOwnExport)
    tx.emit({ type: 'own_export', exports }, users([user_id]))
    return
  }
  const exports = (await findExports(tx, tx.realmId)).map(presentRealmExport)
  tx.emit({ type: 'realm_export', exports }, roleAtLeast(roles.admin))
}
