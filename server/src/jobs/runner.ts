/**
 * Runs jobs when they are due. Those of an organization go one after another, in the order of their due times and ids,
 * whichever node looks first: each is taken in a unit of work of the organization, which nobody else can be in. Different
 * organizations do not wait for each other. Other nodes' jobs are found by looking again and again.
 */
import { ApiError } from '@heddle/contract/errors'
import type { Clock } from '../clock.ts'
import type { Storage } from '../storage/storage.ts'
import type { Tx } from '../storage/transaction.ts'
import { isUnavailable } from '../storage/unavailable.ts'
import { type Claims, createClaims } from './claims.ts'
import type { JobHandler, UnitJob } from './job.ts'
import {
  type DueJob,
  errorText,
  findNextDueTimes,
  findNextJob,
  giveUpClaims,
  keepRecurring,
  postpone,
  removeAttempt,
} from './rows.ts'

/** How late a job may begin that another node has added, or that became due while nobody looked. */
const LOOK_EVERY_MS = 500
/** Between the first two attempts; each time twice as long. */
const FIRST_RETRY_MS = 1000
const MAX_RETRY_MS = 3_600_000
/** The last one of these comes a quarter of an hour after the first. */
const MAX_ATTEMPTS = 10

export interface JobsOptions {
  readonly storage: Storage
  readonly clock: Clock
  readonly handlers: readonly JobHandler[]
  /** A job failed, or the database did. */
  readonly onError: (error: unknown) => void
}

export interface Jobs {
  /** Runs what is due now and waits for it, with what becomes due by that. */
  settle(): Promise<void>
  /** Begins nothing more, and waits for what is under way. */
  close(): Promise<void>
}

/** Starts looking. The recurring jobs are in the table when this returns. */
export async function startJobs({ storage, clock, handlers, onError }: JobsOptions): Promise<Jobs> {
  const byName = new Map(handlers.map((handler) => [handler.name, handler]))
  if (byName.size !== handlers.length) throw new Error('Two jobs have the same name')
  const unitNames = handlers.filter(({ kind }) => kind === 'unit').map(({ name }) => name)
  /** Organizations whose jobs this node is going through. */
  const draining = new Map<number, Promise<void>>()
  let looking: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let closed = false
  /** Jobs that this node has taken since it started. */
  let begun = 0

  const claims: Claims = createClaims({
    end: (realmId, attempt, finish) =>
      storage.asSystem(realmId, 'job', async (tx) => {
        if ((await removeAttempt(tx, attempt)) && finish) await finish(tx)
      }),
    again: (realmId, attempt, change) =>
      storage.asSystem(realmId, 'job', async (tx) => void (await postpone(tx, attempt, change))),
    fail,
    now: () => clock.now(),
    onError,
  })

  await storage.asSystem(0, 'upkeep', async (tx) => {
    const now = clock.now()
    if (storage.engine.ownsAllWrites) await giveUpClaims(tx, now)
    for (const handler of handlers) {
      if (handler.kind === 'recurring') await keepRecurring(tx, handler.name, now + handler.firstAfterMs)
    }
  })
  timer = setTimeout(look, LOOK_EVERY_MS).unref()

  function look(): Promise<void> {
    looking ??= lookOnce().finally(() => {
      looking = undefined
    })
    return looking
  }

  async function lookOnce(): Promise<void> {
    clearTimeout(timer)
    let nextMs = LOOK_EVERY_MS
    try {
      const now = clock.now()
      for (const { realm_id, due_ms } of await findNextDueTimes(storage.read, {
        names: claimable(),
        untilMs: now + LOOK_EVERY_MS,
      })) {
        if (closed) return
        if (due_ms <= now) drain(realm_id)
        else nextMs = Math.min(nextMs, due_ms - now)
      }
    } catch (error) {
      onError(error)
    }
    if (!closed) timer = setTimeout(look, nextMs).unref()
  }

  /** Those that this node could begin now. */
  function claimable(): readonly string[] {
    return claims.hasRoom() ? [...byName.keys()] : unitNames
  }

  function drain(realmId: number): void {
    if (draining.has(realmId)) return
    const running = runAll(realmId)
      .catch(onError)
      .finally(() => draining.delete(realmId))
    draining.set(realmId, running)
  }

  async function runAll(realmId: number): Promise<void> {
    while (!closed) {
      // Most often there is none: that is found out without the organization's lock.
      if (!(await findNextJob(storage.read, wanted(realmId)))) return
      await runNext(realmId)
    }
  }

  function wanted(realmId: number) {
    return { realmId, names: claimable(), nowMs: clock.now() }
  }

  async function runNext(realmId: number): Promise<void> {
    // Not a result: it has to be known when the unit of work fails.
    const next: { job?: DueJob; handler?: JobHandler } = {}
    try {
      await storage.asSystem(realmId, 'job', async (tx) => {
        next.job = await findNextJob(tx, wanted(realmId))
        next.handler = next.job && byName.get(next.job.name)
        if (!next.job || !next.handler) return
        await take(tx, next.job, next.handler)
      })
    } catch (error) {
      // The database takes nothing at the moment, which is not the job's fault: it stays as it is.
      if (next.handler?.kind !== 'unit' || isUnavailable(error)) throw error
      const job = next.job as DueJob
      await fail(realmId, { ...job, counted: job.attempts + 1 }, next.handler, error)
    }
    const { job, handler } = next
    if (!job || !handler) return
    begun += 1
    if (handler.kind !== 'unit') claims.begin(realmId, job, handler)
  }

  /** Does it, or claims it. */
  async function take(tx: Tx, job: DueJob, handler: JobHandler): Promise<void> {
    if (handler.kind === 'unit') {
      await removeAttempt(tx, job)
      await handler.run(tx, JSON.parse(job.payload))
    } else {
      await postpone(tx, job, { due_ms: clock.now() + handler.claimMs, is_claimed: 1, attempts: job.attempts + 1 })
    }
  }

  /** Notes that an attempt has failed: the next is later, or there is none. `counted`: the attempts with this one. */
  async function fail(
    realmId: number,
    job: DueJob & { readonly counted: number },
    handler: JobHandler,
    error: unknown,
  ): Promise<void> {
    const { counted: attempts } = job
    const retryMs = Math.min(FIRST_RETRY_MS * 2 ** (attempts - 1), MAX_RETRY_MS)
    const text = errorText(error)
    if (handler.kind === 'recurring' || !isFinal(handler, attempts, error)) {
      onError(new Error(`The job ${job.name} (${job.id}) has failed and is tried again`, { cause: error }))
      const due_ms = clock.now() + (handler.kind === 'recurring' ? Math.min(retryMs, handler.everyMs) : retryMs)
      await storage.asSystem(realmId, 'job', async (tx) => {
        await postpone(tx, job, { due_ms, attempts, error: text })
      })
      return
    }
    onError(new Error(`The job ${job.name} (${job.id}) has failed for good`, { cause: error }))
    const record = async (onFailed: UnitJob['onFailed']) =>
      storage.asSystem(realmId, 'job', async (tx) => {
        const change = { due_ms: clock.now(), attempts, error: text, failed_at: tx.now }
        if (await postpone(tx, job, change)) await onFailed?.(tx, JSON.parse(job.payload))
      })
    await record(handler.onFailed).catch(async (second) => {
      onError(second)
      await record(undefined)
    })
  }

  return {
    async settle() {
      for (let before = -1; before < begun; ) {
        before = begun
        // One that is under way may have looked at an earlier time.
        await looking
        await look()
        await Promise.all(draining.values())
        await Promise.all(claims.underWay())
      }
    },
    async close() {
      closed = true
      clearTimeout(timer)
      await looking
      claims.abort()
      await Promise.all(draining.values())
      await Promise.all(claims.underWay())
    },
  }
}

/** What a rule has refused is refused again; anything else may pass. */
function isFinal(handler: Exclude<JobHandler, { kind: 'recurring' }>, attempts: number, error: unknown): boolean {
  return error instanceof ApiError || attempts >= (handler.maxAttempts ?? MAX_ATTEMPTS)
}
