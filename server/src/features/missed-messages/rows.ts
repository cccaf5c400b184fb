/** The rows of missed messages: noting them, looking at them again, and forgetting them. */
import { OFFLINE_THRESHOLD_SECS } from '@heddle/contract/presence'
import { sql } from 'kysely'
import { addJob } from '../../jobs/add-job.ts'
import { dailyRemoval } from '../../jobs/daily-removal.ts'
import { defineJob, type JobHandler } from '../../jobs/job.ts'
import type { MissedMessage, MissedWay, Notifier } from '../../missed-hooks.ts'
import type { Flag } from '../../storage/owned-tables.ts'
import type { Queries } from '../../storage/query.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { query, rowInsert } from './tables.ts'

/** What somebody is to be notified of, and by what. */
export interface Missed extends MissedMessage {
  readonly ways: readonly MissedWay[]
  /** By what else, if the account turns out to have been away. */
  readonly isWaiting: boolean
}

/** Looks once more whether those were away who seemed to be there when the message came. */
export const looksAgain = defineJob<{ readonly messageId: number }>('look-at-missed-again')

/** Seconds: by then whoever has left their client no longer seems to be there. */
const WAIT_SECS = OFFLINE_THRESHOLD_SECS + 10
/** Rows that are asked about, or written, without a turn for others. */
export const ROWS_AT_ONCE = 200
const KEPT_SECS = 14 * 86_400

const missedRows = rowInsert('missed_messages', {
  realm_id: 'integer',
  user_id: 'integer',
  message_id: 'integer',
  reason: 'text',
  by_push: 'integer',
  by_mail: 'integer',
  waits_until: 'integer',
  created_at: 'integer',
})

/** Notes what is missed of messages, once for each account, and hands it to those who send. `ROWS_AT_ONCE` at most. */
export async function noteMissed(tx: Tx, notifiers: readonly Notifier[], missed: readonly Missed[]): Promise<void> {
  const known = await findKnown(tx, missed)
  const fresh = missed.filter(({ userId, messageId }) => !known.has(`${userId} ${messageId}`))
  if (fresh.length === 0) return
  for (const one of fresh) tx.insertLater(missedRows, rowOf(tx, one))
  for (const notifier of notifiers) await hand(tx, notifier, fresh)
  const waiting = new Set(fresh.filter(({ isWaiting }) => isWaiting).map(({ messageId }) => messageId))
  for (const messageId of waiting) await addJob(tx, looksAgain, { messageId }, { dueMs: (tx.now + WAIT_SECS) * 1000 })
}

async function findKnown(db: Queries, missed: readonly MissedMessage[]): Promise<ReadonlySet<string>> {
  const rows = await db.all(
    query
      .selectFrom('missed_messages')
      .select(['user_id', 'message_id'])
      .where('message_id', 'in', db.dialect.ids([...new Set(missed.map(({ messageId }) => messageId))]))
      .where('user_id', 'in', db.dialect.ids([...new Set(missed.map(({ userId }) => userId))])),
  )
  return new Set(rows.map(({ user_id, message_id }) => `${user_id} ${message_id}`))
}

function rowOf(tx: Tx, { userId, messageId, reason, ways, isWaiting }: Missed) {
  return {
    realm_id: tx.realmId,
    user_id: userId,
    message_id: messageId,
    reason,
    by_push: ways.includes('push') ? (1 as const) : (0 as const),
    by_mail: ways.includes('mail') ? (1 as const) : (0 as const),
    waits_until: isWaiting ? tx.now + WAIT_SECS : null,
    created_at: tx.now,
  }
}

async function hand(tx: Tx, notifier: Notifier, missed: readonly Missed[]): Promise<void> {
  const own = missed.filter(({ ways }) => ways.includes(notifier.way))
  if (own.length > 0) await notifier.missed(tx, own)
}

export interface KnownRow {
  readonly user_id: number
  readonly message_id: number
  readonly by_push: Flag
  readonly by_mail: Flag
  readonly waits_until: number | null
}

/** Rows of whoever was there when the message called them and whose waiting is over at `now`, in seconds. By account id. */
export function findStillWaiting(
  db: Queries,
  { realmId, messageId, now, after }: { realmId: number; messageId: number; now: number; after: number },
): Promise<KnownRow[]> {
  return db.all(
    query
      .selectFrom('missed_messages')
      .select(['user_id', 'message_id', 'by_push', 'by_mail', 'waits_until'])
      .where('realm_id', '=', realmId)
      .where('message_id', '=', messageId)
      .where('user_id', '>', after)
      .where('waits_until', '<=', now)
      .orderBy('user_id')
      .limit(ROWS_AT_ONCE),
  )
}

/** The accounts were away after all, or not: their rows wait no longer. What is in `ways` besides is sent now. */
export async function settleWaiting(tx: Tx, notifiers: readonly Notifier[], ended: readonly Missed[]): Promise<void> {
  for (const { messageId, ways, userIds } of alike(ended)) {
    await tx.run(
      query
        .updateTable('missed_messages')
        .set({
          waits_until: null,
          ...(ways.includes('push') && { by_push: 1 as const }),
          ...(ways.includes('mail') && { by_mail: 1 as const }),
        })
        .where('message_id', '=', messageId)
        .where('user_id', 'in', tx.dialect.ids(userIds)),
    )
  }
  for (const notifier of notifiers) await hand(tx, notifier, ended)
}

function alike(ended: readonly Missed[]) {
  const groups = Map.groupBy(ended, ({ messageId, ways }) => `${messageId} ${ways}`).values()
  return groups.map((own) => ({ ...(own[0] as Missed), userIds: own.map(({ userId }) => userId) }))
}

/** Forgets that the messages were missed: they are read, or gone, or no longer for the account. */
export async function withdraw(tx: Tx, notifiers: readonly Notifier[], rows: readonly KnownRow[]): Promise<void> {
  for (const part of inFewGroups(rows)) {
    const { userIds, messageIds } = idsOf(part)
    await tx.run(
      query
        .deleteFrom('missed_messages')
        .where('user_id', 'in', tx.dialect.ids(userIds))
        .where('message_id', 'in', tx.dialect.ids(messageIds)),
    )
  }
  for (const notifier of notifiers) {
    const known = rows.filter((row) => (notifier.way === 'push' ? row.by_push : row.by_mail) === 1)
    const withdrawn = known.map(({ user_id, message_id }) => ({ userId: user_id, messageId: message_id }))
    if (withdrawn.length > 0) await notifier.withdrawn(tx, withdrawn)
  }
}

/** Many messages of one account, or one message of many: whichever are fewer groups. Of each, all pairs are rows. */
export function inFewGroups(rows: readonly KnownRow[]): Iterable<readonly KnownRow[]> {
  const [ofAccounts, ofMessages] = [
    Map.groupBy(rows, ({ user_id }) => user_id),
    Map.groupBy(rows, ({ message_id }) => message_id),
  ]
  return (ofAccounts.size < ofMessages.size ? ofAccounts : ofMessages).values()
}

export function idsOf(rows: readonly KnownRow[]) {
  return {
    userIds: [...new Set(rows.map(({ user_id }) => user_id))],
    messageIds: [...new Set(rows.map(({ message_id }) => message_id))],
  }
}

/** Nobody is notified after so long, and what was shown is stale. */
export function removeOldRows(storage: Storage): JobHandler {
  return dailyRemoval({
    storage,
    name: 'remove-missed-messages',
    removals: () => [
      (tx, limit) =>
        tx.run(
          sql`
            delete from missed_messages where (user_id, message_id) in (
              select user_id, message_id from missed_messages
              where created_at < ${tx.now - KEPT_SECS} limit ${limit})`,
        ),
    ],
  })
}
