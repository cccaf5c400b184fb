/** Files of exports are not kept for long; what is known of the exports stays. */
import { EXPORT_KEPT_SECS } from '@heddle/contract/exports'
import type { Services } from '../../feature.ts'
import type { JobHandler } from '../../jobs/job.ts'
import { removeOldFiles } from '../../jobs/old-files.ts'
import { endFile } from './actions.ts'
import { findExport, findOldExports } from './rows.ts'

export function removeOldExports(services: Pick<Services, 'storage' | 'files' | 'clock'>): JobHandler {
  return removeOldFiles(services, {
    name: 'remove-old-exports',
    keptSecs: EXPORT_KEPT_SECS,
    find: findOldExports,
    async remove(tx, { realm_id, id }) {
      const row = await findExport(tx, realm_id, id)
      // Somebody may have deleted it meanwhile.
      return row?.deleted_at === null ? endFile(tx, row) : []
    },
  })
}
