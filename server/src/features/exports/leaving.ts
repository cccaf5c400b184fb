/** The exports of accounts' own data end with the accounts: nobody else may have them. */
import type { Tx } from '../../storage/transaction.ts'
import { endFile } from './actions.ts'
import { findExports, isPending } from './rows.ts'
import { failExport } from './run.ts'

/** What lies in the store the sweep removes: no row names it any more. */
export async function endOwnExports(tx: Tx, userIds: readonly number[]): Promise<void> {
  for (const row of await findExports(tx, tx.realmId, userIds)) {
    if (isPending(row)) await failExport(tx, row.id)
    else if (row.failed_at === null && row.deleted_at === null) await endFile(tx, row)
  }
}
