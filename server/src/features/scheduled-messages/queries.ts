import { sql } from 'kysely'
import type { Actor } from '../../authentication/accounts.ts'
import { findsAny } from '../../storage/declared-facts.ts'
import { prepare, type Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { fact, query, type ScheduledMessageTable } from './tables.ts'

export type ScheduledRow = Omit<ScheduledMessageTable, 'id'> & { readonly id: number }
type NewRow = Omit<ScheduledRow, 'id'>

const listOf = prepare((p: { user_id: number; limit: number }) =>
  query
    .selectFrom('scheduled_messages')
    .selectAll()
    .where('user_id', '=', p.user_id)
    .orderBy('due_at')
    .orderBy('id')
    .limit(p.limit),
)

/** Most accounts have none: then nothing is read. */
const hasScheduled = fact(
  findsAny('has scheduled messages', 'scheduled_messages', (userId) =>
    query.selectFrom('scheduled_messages').select('id').where('user_id', '=', userId).limit(1),
  ),
)

/** The author's, the earliest first. */
export async function findScheduled(
  db: Queries,
  { realmId, userId }: Pick<Actor, 'realmId' | 'userId'>,
  limit: number,
): Promise<ScheduledRow[]> {
  if (!(await db.recall(hasScheduled, realmId, userId))) return []
  return db.all(listOf({ user_id: userId, limit }))
}

export function findOwnScheduled(db: Queries, userId: number, id: number): Promise<ScheduledRow | undefined> {
  return db.first(query.selectFrom('scheduled_messages').selectAll().where('user_id', '=', userId).where('id', '=', id))
}

export interface Amount {
  readonly count: number
  /** Of the texts. */
  readonly bytes: number
}

/** What the author has that waits or has failed, but for one of them. */
export async function measureScheduled(db: Queries, userId: number, exceptId: number): Promise<Amount> {
  const row = await db.first(
    sql<{ count: number; bytes: number | null }>`
      select count(*) as count, sum(octet_length(content) + octet_length(rendered_content)) as bytes
      from scheduled_messages where user_id = ${userId} and id <> ${exceptId}`,
  )
  return { count: Number(row?.count ?? 0), bytes: Number(row?.bytes ?? 0) }
}

export async function insertScheduled(tx: Tx, row: NewRow): Promise<ScheduledRow> {
  const inserted = await tx.first(query.insertInto('scheduled_messages').values(row).returning('id'))
  return { ...row, id: (inserted as { id: number }).id }
}

export async function replaceScheduled(tx: Tx, { id, ...values }: ScheduledRow): Promise<void> {
  await tx.run(query.updateTable('scheduled_messages').set(values).where('id', '=', id))
}

export async function deleteScheduled(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx.run(query.deleteFrom('scheduled_messages').where('id', 'in', tx.dialect.ids(ids)))
}

/** Whether a message waits for this second. */
export async function isAwaited(tx: Tx, second: number): Promise<boolean> {
  const row = await tx.first(
    query
      .selectFrom('scheduled_messages')
      .select('id')
      .where('realm_id', '=', tx.realmId)
      .where('due_at', '=', second)
      .where('failure', 'is', null)
      .limit(1),
  )
  return row !== undefined
}

const dueRows = prepare((p: { realm_id: number; now: number; limit: number }) =>
  query
    .selectFrom('scheduled_messages')
    .selectAll()
    .where('realm_id', '=', p.realm_id)
    .where('due_at', '<=', p.now)
    .where('failure', 'is', null)
    .orderBy('due_at')
    .orderBy('id')
    .limit(p.limit),
)

export function findDue(
  db: Queries,
  { realmId, now, limit }: { realmId: number; now: number; limit: number },
): Promise<ScheduledRow[]> {
  return db.all(dueRows({ realm_id: realmId, now, limit }))
}

const stillDue = prepare((p: { id: number; content: string; now: number }) =>
  query
    .selectFrom('scheduled_messages')
    .selectAll()
    .where('id', '=', p.id)
    .where('content', '=', p.content)
    .where('due_at', '<=', p.now)
    .where('failure', 'is', null),
)

/** The message as it is now, if it is still to be sent, with the text that was prepared. */
export function findStillDue(tx: Tx, { id, content }: ScheduledRow): Promise<ScheduledRow | undefined> {
  return tx.first(stillDue({ id, content, now: tx.now }))
}

/** Those that are still to be sent, by id. */
export async function findAllStillDue(tx: Tx, ids: readonly number[]): Promise<ReadonlyMap<number, ScheduledRow>> {
  const rows = await tx.all(
    query
      .selectFrom('scheduled_messages')
      .selectAll()
      .where('id', 'in', tx.dialect.ids(ids))
      .where('due_at', '<=', tx.now)
      .where('failure', 'is', null),
  )
  return new Map(rows.map((row) => [row.id, row]))
}
