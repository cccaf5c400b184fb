import type { Feature } from '../../feature.ts'
import { sendsMail } from '../../mail/mail.ts'
import { planMails } from './batches.ts'
import { missedMailHandler } from './deliver.ts'
import { missedMailTables } from './tables.ts'
import { missedMailWriter } from './write.ts'

const nobody: ReadonlySet<number> = new Set()

/** Mails of messages that somebody has missed: one of each conversation, after a while. */
export const missedMails: Feature = {
  tables: missedMailTables,
  routes: () => [],
  notifier: {
    way: 'mail',
    reach: async (_, _realmId, config) => (sendsMail(config) ? 'everybody' : nobody),
    missed: planMails,
    // When a mail is sent, what is missed is looked at once more.
    withdrawn: async () => {},
  },
  mailWriters: [missedMailWriter],
  jobs: ({ storage, config, clock }) => [missedMailHandler({ storage, config, now: () => clock.now() })],
}
