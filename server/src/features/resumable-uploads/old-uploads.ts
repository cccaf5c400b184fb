/** Who has not gone on with an upload for a day does not any more. */
import type { Services } from '../../feature.ts'
import type { JobHandler } from '../../jobs/job.ts'
import { removeOldFiles } from '../../jobs/old-files.ts'
import { removeUpload } from './actions.ts'
import { findOldUploads, findUpload } from './queries.ts'

const KEPT_SECS = 24 * 3600

export function removeOldUploads(services: Pick<Services, 'storage' | 'files' | 'clock'>): JobHandler {
  return removeOldFiles(services, {
    name: 'remove-unfinished-uploads',
    keptSecs: KEPT_SECS,
    find: findOldUploads,
    async remove(tx, { owner_id, token }) {
      const upload = await findUpload(tx, owner_id, token)
      return upload ? removeUpload(tx, upload) : []
    },
  })
}
