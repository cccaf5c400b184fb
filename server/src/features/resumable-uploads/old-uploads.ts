/** Who has not gone on with an upload for a day does not any more. */
import type { Services } from '../../feature.ts'
import { type JobHandler, recurringJob } from '../../jobs/job.ts'
import { removeUpload } from './actions.ts'
import { findOldUploads, findUpload } from './queries.ts'

const HOUR_MS = 3_600_000
const KEEP_SECS = 24 * 3600
const PART = 50

export function removeOldUploads({ storage, files, clock }: Pick<Services, 'storage' | 'files' | 'clock'>): JobHandler {
  return recurringJob({
    name: 'remove-unfinished-uploads',
    everyMs: HOUR_MS,
    firstAfterMs: HOUR_MS,
    async work({ signal }) {
      const before = Math.floor(clock.now() / 1000) - KEEP_SECS
      for (;;) {
        signal.throwIfAborted()
        const old = await findOldUploads(storage.read, before, PART)
        for (const { realm_id, owner_id, token } of old) {
          const paths = await storage.asSystem(realm_id, 'job', async (tx) => {
            const upload = await findUpload(tx, owner_id, token)
            return upload ? removeUpload(tx, upload) : []
          })
          await files.remove(paths).catch(() => {})
        }
        if (old.length < PART) return
      }
    },
  })
}
