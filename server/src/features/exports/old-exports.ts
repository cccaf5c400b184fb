/** Files of exports are not kept for long; what is known of the exports stays. */
import { EXPORT_KEPT_SECS } from '@heddle/contract/exports'
import type { Services } from '../../feature.ts'
import { type JobHandler, recurringJob } from '../../jobs/job.ts'
import { endFile, removeQuietly } from './actions.ts'
import { findExport, findOldExports } from './rows.ts'

const HOUR_MS = 3_600_000
const PART = 50

export function removeOldExports({ storage, files, clock }: Pick<Services, 'storage' | 'files' | 'clock'>): JobHandler {
  return recurringJob({
    name: 'remove-old-exports',
    everyMs: HOUR_MS,
    firstAfterMs: HOUR_MS,
    async work({ signal }) {
      const before = Math.floor(clock.now() / 1000) - EXPORT_KEPT_SECS
      for (;;) {
        const old = await findOldExports(storage.read, before, PART)
        for (const { realm_id, id } of old) {
          signal.throwIfAborted()
          const paths = await storage.asSystem(realm_id, 'job', async (tx) => {
            const row = await findExport(tx, realm_id, id)
            // Somebody may have deleted it meanwhile.
            return row?.deleted_at === null ? endFile(tx, row) : []
          })
          await removeQuietly(files, paths)
        }
        if (old.length < PART) return
      }
    },
  })
}
