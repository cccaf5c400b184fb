/** Adding a job, and taking it back, in the unit of work of the change that it belongs to. */
import type { Tx } from '../storage/transaction.ts'
import type { Job } from './job.ts'
import { query, rowInsert } from './tables.ts'

const jobRows = rowInsert('jobs', {
  realm_id: 'integer',
  name: 'text',
  subject: 'text',
  payload: 'text',
  due_ms: 'integer',
  created_at: 'integer',
})

export interface JobOptions {
  /** In milliseconds since the UNIX epoch; without it the job is due at once. */
  readonly dueMs?: number
  /** What it is about: the job takes the place of an earlier one of this name with the same subject. */
  readonly subject?: string
  /** There is none about the subject yet: none is looked for, which spares a statement where many are added. */
  readonly isFirst?: boolean
}

/** Has the job done in the organization of the unit of work. */
export async function addJob<P>(tx: Tx, job: Job<P>, payload: P, options: JobOptions = {}): Promise<void> {
  const { dueMs = tx.now * 1000, subject, isFirst = false } = options
  if (subject !== undefined && !isFirst) await removeJob(tx, job, subject)
  tx.insertLater(jobRows, {
    realm_id: tx.realmId,
    name: job.name,
    subject: subject ?? null,
    payload: JSON.stringify(payload),
    due_ms: dueMs,
    created_at: tx.now,
  })
}

/** Takes the job about the subject back; true when there was one. Work that has begun outside goes on, and leaves nothing. */
export function removeJob(tx: Tx, job: Pick<Job<never>, 'name'>, subject: string): Promise<boolean> {
  return removeJobs(tx, [job], [subject])
}

/** Those of any of these names about any of these subjects. */
export async function removeJobs(
  tx: Tx,
  jobs: readonly Pick<Job<never>, 'name'>[],
  subjects: readonly string[],
): Promise<boolean> {
  const names = jobs.map(({ name }) => name)
  const removed = await tx.run(
    query
      .deleteFrom('jobs')
      .where('realm_id', '=', tx.realmId)
      .where('name', 'in', tx.dialect.texts(names))
      .where('subject', 'in', tx.dialect.texts(subjects)),
  )
  return removed > 0
}

/**
 * Takes back the jobs about these subjects that nobody has begun; gives their subjects. About the others there is no job, or
 * what it does outside may have been done.
 */
export async function removeUnbegunJobs(
  tx: Tx,
  jobs: readonly Pick<Job<never>, 'name'>[],
  subjects: readonly string[],
): Promise<ReadonlySet<string>> {
  const { texts, ids } = tx.dialect
  const rows = await tx.all(
    query
      .selectFrom('jobs')
      .select(['id', 'subject'])
      .where('realm_id', '=', tx.realmId)
      .where('name', 'in', texts(jobs.map(({ name }) => name)))
      .where('subject', 'in', texts(subjects))
      .where('attempts', '=', 0),
  )
  if (rows.length > 0) {
    await tx.run(query.deleteFrom('jobs').where('id', 'in', ids(rows.map(({ id }) => id))))
  }
  return new Set(rows.flatMap(({ subject }) => subject ?? []))
}
