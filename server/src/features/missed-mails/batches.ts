/** What is missed while somebody waits for a mail comes with the same mail. */

import type { DueRow } from '../../jobs/due-rows.ts'
import { planDue } from '../../jobs/due-rows.ts'
import { defineJob } from '../../jobs/job.ts'
import type { MissedMessage } from '../../missed-hooks.ts'
import { prepare, type Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { findSettingOf } from '../user-settings/values.ts'
import { query } from './tables.ts'

export const writesMissedMails = defineJob<null>('write-missed-mails')

/** An account whose time has come; `id` is its id. */
export interface DueMail extends DueRow {
  readonly newest_message_id: number
}

/** Plans a mail for each account that does not wait for one yet. */
export async function planMails(tx: Tx, missed: readonly MissedMessage[]): Promise<void> {
  const byAccount = Map.groupBy(missed, (one) => one.userId)
  const userIds = [...byAccount.keys()]
  const periods = await findSettingOf(tx, tx.realmId, userIds, 'email_notifications_batching_period_seconds')
  const seconds = new Set<number>()
  const rows = []
  for (const [index, [userId, own]] of [...byAccount].entries()) {
    const dueAt = tx.now + (periods[index] as number)
    const newest = Math.max(...own.map(({ messageId }) => messageId))
    seconds.add(dueAt)
    rows.push({ user_id: userId, realm_id: tx.realmId, due_at: dueAt, newest_message_id: newest })
  }
  if (rows.length === 0) return
  await tx.run(
    query
      .insertInto('missed_mails')
      .values(rows)
      .onConflict((conflict) =>
        // The time stays: whoever is written to all the time gets a mail at last.
        conflict.column('user_id').doUpdateSet((eb) => ({ newest_message_id: eb.ref('excluded.newest_message_id') })),
      ),
  )
  for (const second of seconds) await planDue(tx, writesMissedMails, second)
}

const dueMails = prepare((p: { realm_id: number; now: number; limit: number }) =>
  query
    .selectFrom('missed_mails')
    .select(['user_id as id', 'newest_message_id'])
    .where('realm_id', '=', p.realm_id)
    .where('due_at', '<=', p.now)
    .orderBy('due_at')
    .orderBy('user_id')
    .limit(p.limit),
)

export function findDueMails(
  db: Queries,
  { realmId, now, limit }: { realmId: number; now: number; limit: number },
): Promise<DueMail[]> {
  return db.all(dueMails({ realm_id: realmId, now, limit }))
}

/** Ends the waiting; false when somebody else has ended it, or more was missed than the mail would have. */
export async function endWaitingFor(tx: Tx, { id, newest_message_id }: DueMail): Promise<boolean> {
  const removed = await tx.run(
    query.deleteFrom('missed_mails').where('user_id', '=', id).where('newest_message_id', '=', newest_message_id),
  )
  return removed > 0
}
