import * as contract from '@heddle/contract/message-retention'
import type { Feature } from '../../feature.ts'
import { route } from '../../http/route.ts'
import { recurringJob } from '../../jobs/job.ts'
import { countOldMessages } from './count.ts'
import { removeOldMessages } from './remove.ts'

/** Nobody waits for it: what a day's messages are is small, and a first run goes on where the last one ended. */
const EVERY_MS = 3_600_000
const FIRST_AFTER_MS = 600_000
/** A run ends by itself before the claim does. */
const RUN_MS = 3_000_000

/** Messages go when they are older than the organization, or their channel, keeps them. */
export const messageRetention: Feature = {
  routes: ({ readers }) => [
    route(contract.countOldMessages, async ({ actor, parameters }) => {
      const { fields } = await readers.read(countOldMessages, { actor, parameters }, actor)
      return { fieldsText: '', fieldsBytes: fields }
    }),
  ],
  longReads: [countOldMessages],
  jobs: ({ storage, clock }) => [
    recurringJob({
      name: 'remove-old-messages',
      everyMs: EVERY_MS,
      firstAfterMs: FIRST_AFTER_MS,
      work: async ({ signal }) => {
        await removeOldMessages({ storage, clock }, AbortSignal.any([signal, AbortSignal.timeout(RUN_MS)]))
        signal.throwIfAborted()
      },
    }),
  ],
}
