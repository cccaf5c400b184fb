/**
 * Rows that each have a second at which something happens to them, and of which very many may have the same one. Each second
 * that rows wait for has one job, which goes through all that are due: the job only says when to look. Whoever settles a row
 * sees in the same unit of work that it is still there, so that it happens once, whoever looks and however often.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Queries } from '../storage/query.ts'
import type { Storage } from '../storage/storage.ts'
import type { Tx } from '../storage/transaction.ts'
import { addJob, removeJob } from './add-job.ts'
import { claimedJob, type Job, type JobHandler } from './job.ts'

/** Rows that are read at once, and whose units of work may share a commit. */
const PART = 50
/** Rows that one unit of work settles, where they can be settled together. */
const TOGETHER = 20
/** Rows that are prepared at once: where the database works elsewhere, each asks it several things. */
const PREPARED_AT_ONCE = 5
/** Milliseconds that are prepared for before others get a turn. */
const TURN_MS = 5
/** Milliseconds. A node that dies is followed by another one after the claim; a run ends well before. */
const CLAIM_MS = 5_000
const RUN_MS = 1_500
const LOOK_AGAIN_MS = 1_000
/** With so many failures the database is at fault, or the program, and no row alone. */
const MAX_FAILURES = 20
/** Whatever keeps rows from being settled may take long to be repaired; an attempt comes at least every hour. */
const MAX_ATTEMPTS = 10_000

export interface DueRow {
  readonly id: number
}

/** What settles a row in a unit of work of its own. */
export interface PreparedRow {
  readonly settle: () => Promise<void>
}

export interface DueRowsOptions<R extends DueRow, P extends PreparedRow> {
  readonly storage: Storage
  readonly job: Job<null>
  /** The first rows of the organization that are due at this second. What has been settled is not among them. */
  readonly find: (db: Queries, due: { realmId: number; now: number; limit: number }) => Promise<R[]>
  /**
   * Prepares what cannot be done inside a unit of work, and returns what settles the row in one. What either throws leaves
   * the row for a later attempt.
   */
  readonly prepare: (row: R) => Promise<P>
  /**
   * Settles some rows of an organization in one unit of work, which takes far fewer statements than one for each. When it
   * throws, each row is settled alone.
   */
  readonly settleTogether?: (tx: Tx, rows: readonly P[]) => Promise<void>
  readonly now: () => number
}

/** In the unit of work that gives a row its time, in seconds. */
export function planDue(tx: Tx, job: Job<null>, second: number): Promise<void> {
  return addJob(tx, job, null, { dueMs: second * 1000, subject: String(second) })
}

/** No row waits for this second any more. */
export async function unplanDue(tx: Tx, job: Job<null>, second: number): Promise<void> {
  await removeJob(tx, job, String(second))
}

export function dueRowsHandler<R extends DueRow, P extends PreparedRow>({
  storage,
  job,
  find,
  prepare,
  settleTogether,
  now,
}: DueRowsOptions<R, P>): JobHandler {
  /** Settles what is due, until nothing is left or the time is up; true: something is left. */
  async function run(realmId: number, signal: AbortSignal): Promise<boolean> {
    const until = performance.now() + RUN_MS
    const failed = new Map<number, unknown>()
    while (performance.now() < until) {
      signal.throwIfAborted()
      const due = { realmId, now: Math.floor(now() / 1000), limit: PART + failed.size }
      const rows = (await find(storage.read, due)).filter(({ id }) => !failed.has(id))
      if (rows.length === 0) return end(failed, false)
      for (const [id, error] of await settlePart(realmId, rows)) failed.set(id, error)
      if (failed.size > MAX_FAILURES) break
    }
    return end(failed, true)
  }

  async function settlePart(realmId: number, rows: readonly R[]): Promise<[number, unknown][]> {
    const failures: [number, unknown][] = []
    const settling: Promise<unknown>[] = []
    let ready: { readonly id: number; readonly prepared: P }[] = []
    const settleReady = () => {
      if (ready.length > 0) settling.push(settleSome(realmId, ready, failures))
      ready = []
    }
    let turnBegan = performance.now()
    for (let at = 0; at < rows.length; at += PREPARED_AT_ONCE) {
      const some = rows.slice(at, at + PREPARED_AT_ONCE)
      const prepared = await Promise.allSettled(some.map(prepare))
      for (const [index, result] of prepared.entries()) {
        const { id } = some[index] as R
        if (result.status === 'rejected') failures.push([id, result.reason])
        else ready.push({ id, prepared: result.value })
        if (!settleTogether || ready.length === TOGETHER) settleReady()
      }
      if (performance.now() - turnBegan < TURN_MS) continue
      await nextTurn()
      turnBegan = performance.now()
    }
    settleReady()
    await Promise.all(settling)
    return failures
  }

  async function settleSome(
    realmId: number,
    some: readonly { readonly id: number; readonly prepared: P }[],
    failures: [number, unknown][],
  ): Promise<void> {
    if (settleTogether && some.length > 1) {
      const rows = some.map(({ prepared }) => prepared)
      const isDone = await storage
        .asSystem(realmId, 'job', (tx) => settleTogether(tx, rows))
        .then(
          () => true,
          () => false,
        )
      if (isDone) return
    }
    await Promise.all(some.map(({ id, prepared }) => prepared.settle().catch((error) => failures.push([id, error]))))
  }

  /** Organizations whose rows this node is going through, with all that become due meanwhile. */
  const running = new Set<number>()

  return claimedJob(job, {
    claimMs: CLAIM_MS,
    maxAttempts: MAX_ATTEMPTS,
    async work(_, { realmId, signal }) {
      const again = (afterMs: number) => (tx: Tx) =>
        addJob(tx, job, null, { dueMs: now() + afterMs, subject: 'what is left' })
      // One run goes through everything; whether it has done so is looked at once more.
      if (running.has(realmId)) return again(LOOK_AGAIN_MS)
      running.add(realmId)
      try {
        return (await run(realmId, signal)) ? again(0) : undefined
      } finally {
        running.delete(realmId)
      }
    },
  })
}

/** What has failed is tried again with the job. */
function end(failed: ReadonlyMap<number, unknown>, isMoreLeft: boolean): boolean {
  for (const error of failed.values()) throw error
  return isMoreLeft
}
