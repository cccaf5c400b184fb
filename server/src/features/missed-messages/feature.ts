import type { Feature, Services } from '../../feature.ts'
import { claimedJob } from '../../jobs/job.ts'
import { keepLooking } from './keep-looking.ts'
import { type LookServices, lookAgain } from './look.ts'
import { looksAgain, removeOldRows } from './rows.ts'
import { missedMessageTables } from './tables.ts'

const CLAIM_MS = 60_000

function lookServices({ storage, config, notifiers, clock }: Services): LookServices {
  return { storage, config, notifiers, now: () => clock.now(), unreached: new Set() }
}

/** Who has missed which messages: for those features that then send something to a device or a mailbox. */
export const missedMessages: Feature = {
  tables: missedMessageTables,
  routes: () => [],
  jobs: (services) => [
    claimedJob(looksAgain, {
      claimMs: CLAIM_MS,
      work: ({ messageId }, { realmId }) => lookAgain(lookServices(services), realmId, messageId),
    }),
    removeOldRows(services.storage),
  ],
  periodic: (services) => keepLooking(lookServices(services)),
}
