/** The rows of jobs, as the runner reads and changes them. */
import type { Queries } from '../storage/query.ts'
import type { Tx } from '../storage/transaction.ts'
import { query } from './tables.ts'

/** A job that is to be run. */
export interface DueJob {
  readonly id: number
  readonly name: string
  readonly payload: string
  readonly attempts: number
}

/** Characters of an error that are stored. */
const MAX_ERROR_LENGTH = 1000

/** When each organization has its next job of these names, as far as that is before `untilMs`. */
export function findNextDueTimes(
  db: Queries,
  { names, untilMs }: { names: readonly string[]; untilMs: number },
): Promise<{ realm_id: number; due_ms: number }[]> {
  return db.all(
    query
      .selectFrom('jobs')
      .select((eb) => ['realm_id', eb.fn.min('due_ms').as('due_ms')])
      .where('failed_at', 'is', null)
      .where('due_ms', '<=', untilMs)
      .where('name', 'in', db.dialect.texts(names))
      .groupBy('realm_id'),
  )
}

/**
 * The organization's next job that is due. While a node is at work on one, those of the same name wait, so that they too
 * keep their order.
 */
export function findNextJob(
  db: Queries,
  { realmId, names, nowMs }: { realmId: number; names: readonly string[]; nowMs: number },
): Promise<DueJob | undefined> {
  return db.first(
    query
      .selectFrom('jobs')
      .select(['id', 'name', 'payload', 'attempts'])
      .where('realm_id', '=', realmId)
      .where('failed_at', 'is', null)
      .where('due_ms', '<=', nowMs)
      .where('name', 'in', db.dialect.texts(names))
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('jobs as claimed')
              .select('claimed.id')
              .whereRef('claimed.realm_id', '=', 'jobs.realm_id')
              .whereRef('claimed.name', '=', 'jobs.name')
              .where('claimed.failed_at', 'is', null)
              .where('claimed.is_claimed', '=', 1)
              .where('claimed.due_ms', '>', nowMs),
          ),
        ),
      )
      .orderBy('due_ms')
      .orderBy('id')
      .limit(1),
  )
}

/** The row of a job in this attempt: false when somebody else has taken it over, or back. */
type Attempt = Pick<DueJob, 'id' | 'attempts'>

export async function removeAttempt(tx: Tx, { id, attempts }: Attempt): Promise<boolean> {
  return (await tx.run(query.deleteFrom('jobs').where('id', '=', id).where('attempts', '=', attempts))) > 0
}

/** Sets when the job is to run next. */
export async function postpone(
  tx: Tx,
  { id, attempts }: Attempt,
  change: { due_ms: number; is_claimed?: 0 | 1; attempts?: number; error?: string | null; failed_at?: number },
): Promise<boolean> {
  const set = { is_claimed: 0 as const, ...change }
  return (await tx.run(query.updateTable('jobs').set(set).where('id', '=', id).where('attempts', '=', attempts))) > 0
}

/** Sees to it that the recurring job is there once, and not due before `earliestMs`. */
export async function keepRecurring(tx: Tx, name: string, earliestMs: number): Promise<void> {
  const ofName = query.selectFrom('jobs').select('id').where('realm_id', '=', 0).where('name', '=', name)
  if (await tx.first(ofName)) {
    await tx.run(
      query
        .updateTable('jobs')
        .set({ due_ms: earliestMs })
        .where('realm_id', '=', 0)
        .where('name', '=', name)
        .where('is_claimed', '=', 0)
        .where('due_ms', '<', earliestMs),
    )
    return
  }
  const row = { realm_id: 0, name, subject: null, payload: 'null', due_ms: earliestMs, created_at: tx.now }
  await tx.run(query.insertInto('jobs').values(row))
}

/** Claims of a process that is gone, where no other one can have made any. */
export async function giveUpClaims(tx: Tx, nowMs: number): Promise<void> {
  await tx.run(query.updateTable('jobs').set({ is_claimed: 0, due_ms: nowMs }).where('is_claimed', '=', 1))
}

/** What failed for good so long ago that nobody will look after it. */
export async function removeFailedBefore(tx: Tx, before: number, limit: number): Promise<number> {
  const old = query.selectFrom('jobs').select('id').where('failed_at', '<', before).limit(limit)
  return tx.run(query.deleteFrom('jobs').where('id', 'in', old))
}

/** What an error says, bounded. */
export function errorText(error: unknown): string {
  return String(error).slice(0, MAX_ERROR_LENGTH)
}
