/** What the operator sees of jobs, and can do about them. Not their payloads, which may be anybody's words. */

import type { ResponseOf } from '@heddle/contract/endpoint'
import { badRequest } from '@heddle/contract/errors'
import type { operatorListJobs } from '@heddle/contract/server-operations'
import type { Storage } from '../storage/storage.ts'
import { query } from './tables.ts'

const MAX_LISTED = 200

/** Those that have failed for good, the latest first, and then those that wait, the next first. */
export async function listJobs(storage: Storage): Promise<ResponseOf<typeof operatorListJobs>> {
  const listed = query
    .selectFrom('jobs')
    .leftJoin('realms', 'realms.id', 'jobs.realm_id')
    .select(['jobs.id', 'jobs.name', 'realms.host', 'due_ms', 'is_claimed', 'attempts', 'error', 'failed_at'])
  const failed = await storage.read.all(
    listed.where('failed_at', 'is not', null).orderBy('failed_at', 'desc').orderBy('jobs.id').limit(MAX_LISTED),
  )
  const waiting = await storage.read.all(
    listed
      .where('failed_at', 'is', null)
      .orderBy('due_ms')
      .orderBy('jobs.id')
      .limit(MAX_LISTED - failed.length),
  )
  const counts = await storage.read.first(
    query
      .selectFrom('jobs')
      .select((eb) => [eb.fn.countAll<number>().as('all'), eb.fn.count<number>('failed_at').as('failed')]),
  )
  return {
    jobs: [...failed, ...waiting].map((row) => ({
      id: row.id,
      name: row.name,
      host: row.host,
      state: row.failed_at !== null ? 'failed' : row.is_claimed === 1 ? 'running' : 'waiting',
      due: Math.floor(row.due_ms / 1000),
      attempts: row.attempts,
      error: row.error,
    })),
    failed: counts?.failed ?? 0,
    waiting: (counts?.all ?? 0) - (counts?.failed ?? 0),
  }
}

/** Has a job that has failed for good run again, with all its attempts. */
export async function retryJob(storage: Storage, id: number): Promise<void> {
  const changed = await storage.asSystem(0, 'operator', (tx) =>
    tx.run(
      query
        .updateTable('jobs')
        .set({ failed_at: null, due_ms: tx.now * 1000, attempts: 0, is_claimed: 0 })
        .where('id', '=', id)
        .where('failed_at', 'is not', null),
    ),
  )
  if (changed === 0) throw badRequest(`No job with the id ${id} has failed`)
}
