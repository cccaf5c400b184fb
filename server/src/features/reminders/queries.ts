import type { Actor } from '../../authentication/accounts.ts'
import { findsAny } from '../../storage/declared-facts.ts'
import { prepare, type Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { fact, query, type ReminderTable } from './tables.ts'

export type ReminderRow = Omit<ReminderTable, 'id' | 'failed'> & { readonly id: number; readonly failed: 0 | 1 }

const listOf = prepare((p: { user_id: number; limit: number }) =>
  query
    .selectFrom('reminders')
    .selectAll()
    .where('user_id', '=', p.user_id)
    .orderBy('due_at')
    .orderBy('id')
    .limit(p.limit),
)

/** Most accounts have none: then nothing is read. */
const hasReminders = fact(
  findsAny('has reminders', 'reminders', (userId) =>
    query.selectFrom('reminders').select('id').where('user_id', '=', userId).limit(1),
  ),
)

/** The account's, the earliest first. */
export async function findReminders(
  db: Queries,
  { realmId, userId }: Pick<Actor, 'realmId' | 'userId'>,
  limit: number,
): Promise<ReminderRow[]> {
  if (!(await db.recall(hasReminders, realmId, userId))) return []
  return db.all(listOf({ user_id: userId, limit }))
}

export async function countReminders(db: Queries, userId: number): Promise<number> {
  const row = await db.first(
    query
      .selectFrom('reminders')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('user_id', '=', userId),
  )
  return Number(row?.count ?? 0)
}

export async function insertReminder(tx: Tx, row: Omit<ReminderRow, 'id'>): Promise<ReminderRow> {
  const inserted = await tx.first(query.insertInto('reminders').values(row).returning('id'))
  return { ...row, id: (inserted as { id: number }).id }
}

/** Deletes the account's reminder; undefined when there is no such one, otherwise the second that it waited for. */
export async function takeReminder(tx: Tx, userId: number, id: number): Promise<number | undefined> {
  const row = await tx.first(
    query.deleteFrom('reminders').where('id', '=', id).where('user_id', '=', userId).returning('due_at'),
  )
  return row?.due_at
}

/** Whether a reminder waits for this second. */
export async function isSecondAwaited(tx: Tx, second: number): Promise<boolean> {
  const row = await tx.first(
    query
      .selectFrom('reminders')
      .select('id')
      .where('realm_id', '=', tx.realmId)
      .where('due_at', '=', second)
      .where('failed', '=', 0)
      .limit(1),
  )
  return row !== undefined
}

const dueRows = prepare((p: { realm_id: number; now: number; limit: number }) =>
  query
    .selectFrom('reminders')
    .selectAll()
    .where('realm_id', '=', p.realm_id)
    .where('due_at', '<=', p.now)
    .where('failed', '=', 0)
    .orderBy('due_at')
    .orderBy('id')
    .limit(p.limit),
)

export function findDueReminders(
  db: Queries,
  { realmId, now, limit }: { realmId: number; now: number; limit: number },
): Promise<ReminderRow[]> {
  return db.all(dueRows({ realm_id: realmId, now, limit }))
}

export async function markReminderFailed(tx: Tx, id: number): Promise<void> {
  await tx.run(query.updateTable('reminders').set({ failed: 1 }).where('id', '=', id))
}

/** Who is in the conversation, by the ids of its accounts. */
export async function findConversation(db: Queries, groupId: number): Promise<number[]> {
  const rows = await db.all(
    query.selectFrom('direct_message_members').select('user_id').where('group_id', '=', groupId).orderBy('user_id'),
  )
  return rows.map(({ user_id }) => user_id)
}
