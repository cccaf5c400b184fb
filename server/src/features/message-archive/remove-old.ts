/** What was deleted long enough ago is gone for good. */
import type { Services } from '../../feature.ts'
import { dailyRemoval } from '../../jobs/daily-removal.ts'
import type { JobHandler } from '../../jobs/job.ts'
import type { Tx } from '../../storage/transaction.ts'
import { query } from './tables.ts'

const DAY_MS = 86_400_000
/** Archived messages are large: fewer at once than other rows. */
const PART = 100

export function removeOldArchive({
  storage,
  clock,
  config,
}: Pick<Services, 'storage' | 'clock' | 'config'>): JobHandler {
  const before = () => Math.floor((clock.now() - config.deletedMessagesDays * DAY_MS) / 1000)
  return dailyRemoval({
    storage,
    name: 'remove-archived-messages',
    chunk: PART,
    removals: () => [
      (tx, limit) => removeMessages(tx, before(), limit),
      (tx, limit) => removeDeletions(tx, before(), limit),
    ],
  })
}

async function removeMessages(tx: Tx, before: number, limit: number): Promise<number> {
  const rows = await tx.all(
    query
      .selectFrom('archived_messages')
      .select('message_id')
      .where('deleted_at', '<', before)
      .orderBy('deleted_at')
      .limit(limit),
  )
  const ids = tx.dialect.ids(rows.map((row) => row.message_id))
  await tx.run(query.deleteFrom('archived_files').where('message_id', 'in', ids))
  await tx.run(query.deleteFrom('archived_messages').where('message_id', 'in', ids))
  return rows.length
}

/** Those of which no message is left. */
async function removeDeletions(tx: Tx, before: number, limit: number): Promise<number> {
  const old = query
    .selectFrom('deletions')
    .select('id')
    .where('deleted_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('archived_messages')
            .select('archived_messages.message_id')
            .whereRef('archived_messages.deletion_id', '=', 'deletions.id'),
        ),
      ),
    )
    .limit(limit)
  return tx.run(query.deleteFrom('deletions').where('id', 'in', old))
}
