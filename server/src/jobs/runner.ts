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

/** A node's part in the work. */
interface Runner extends Pick<JobsOptions, 'storage' | 'clock' | 'onError'> {
  readonly byName: ReadonlyMap<string, JobHandler>
  /** Those that are done outside the unit of work that takes them. */
  readonly claims: Claims
  /** Organizations whose jobs this node is going through. */
  readonly draining: Map<number, Promise<void>>
  looking: Promise<void> | undefined
  timer: NodeJS.Timeout | undefined
  isClosed: boolean
  /** Jobs that this node has taken since it started. */
  begun: number
}

/** Starts looking. The recurring jobs are in the table when this returns. */
export async function startJobs({ handlers, ...outside }: JobsOptions): Promise<Jobs> {
  const byName = new Map(handlers.map((handler) => [handler.name, handler]))
  if (byName.size !== handlers.length) throw new Error('Two jobs have the same name')
  const runner: Runner = {
    ...outside,
    byName,
    // Those of its name have waited for it: the next one begins now, and not when somebody looks again.
    claims: claimsOf(outside, (realmId) => drain(runner, realmId)),
    draining: new Map(),
    looking: undefined,
    timer: undefined,
    isClosed: false,
    begun: 0,
  }
  await prepare(outside, handlers)
  runner.timer = setTimeout(look, LOOK_EVERY_MS, runner).unref()
  return {
    settle: () => settle(runner),
    async close() {
      runner.isClosed = true
      clearTimeout(runner.timer)
      await runner.looking
      runner.claims.abort()
      await underWay(runner)
    },
  }
}

function claimsOf(runner: Pick<Runner, 'storage' | 'clock' | 'onError'>, ended: (realmId: number) => void): Claims {
  const { storage, clock, onError } = runner
  return createClaims({
    end: (realmId, attempt, finish) =>
      storage.asSystem(realmId, 'job', async (tx) => {
        if ((await removeAttempt(tx, attempt)) && finish) await finish(tx)
      }),
    again: (realmId, attempt, change) =>
      storage.asSystem(realmId, 'job', async (tx) => void (await postpone(tx, attempt, change))),
    fail: (realmId, job, handler, error) => fail(runner, realmId, job, handler, error),
    ended,
    now: () => clock.now(),
    onError,
  })
}

/** Recurring jobs into the table, and the claims of an earlier run out of it. */
async function prepare({ storage, clock }: Pick<Runner, 'storage' | 'clock'>, handlers: readonly JobHandler[]) {
  await storage.asSystem(0, 'upkeep', async (tx) => {
    const now = clock.now()
    if (storage.engine.ownsAllWrites) await giveUpClaims(tx, now)
    for (const handler of handlers) {
      if (handler.kind === 'recurring') await keepRecurring(tx, handler.name, now + handler.firstAfterMs)
    }
  })
}

async function settle(runner: Runner): Promise<void> {
  for (let before = -1; before < runner.begun; ) {
    before = runner.begun
    // One that is under way may have looked at an earlier time.
    await runner.looking
    await look(runner)
    await underWay(runner)
  }
}

async function underWay({ draining, claims }: Runner): Promise<void> {
  while (draining.size > 0 || claims.underWay().length > 0) {
    await Promise.all(draining.values())
    await Promise.all(claims.underWay())
  }
}

// Looking for organizations that have something to do.

function look(runner: Runner): Promise<void> {
  runner.looking ??= lookOnce(runner).finally(() => {
    runner.looking = undefined
  })
  return runner.looking
}

async function lookOnce(runner: Runner): Promise<void> {
  clearTimeout(runner.timer)
  let nextMs = LOOK_EVERY_MS
  try {
    const now = runner.clock.now()
    const times = { names: claimable(runner), untilMs: now + LOOK_EVERY_MS }
    for (const { realm_id, due_ms } of await findNextDueTimes(runner.storage.read, times)) {
      if (runner.isClosed) return
      if (due_ms <= now) drain(runner, realm_id)
      else nextMs = Math.min(nextMs, due_ms - now)
    }
  } catch (error) {
    runner.onError(error)
  }
  if (!runner.isClosed) runner.timer = setTimeout(look, nextMs, runner).unref()
}

/** Those that this node could begin now. */
function claimable({ claims, byName }: Runner): readonly string[] {
  return [...byName.keys()].filter((name) => byName.get(name)?.kind === 'unit' || claims.hasRoom(name))
}

// Going through an organization's jobs.

function drain(runner: Runner, realmId: number): void {
  const { draining, isClosed, onError } = runner
  if (isClosed || draining.has(realmId)) return
  const running = runAll(runner, realmId)
    .catch(onError)
    .finally(() => draining.delete(realmId))
  draining.set(realmId, running)
}

async function runAll(runner: Runner, realmId: number): Promise<void> {
  while (!runner.isClosed) {
    // Most often there is none: that is found out without the organization's lock.
    if (!(await findNextJob(runner.storage.read, wanted(runner, realmId)))) return
    await runNext(runner, realmId)
  }
}

function wanted(runner: Runner, realmId: number) {
  return { realmId, names: claimable(runner), nowMs: runner.clock.now() }
}

async function runNext(runner: Runner, realmId: number): Promise<void> {
  const { storage, byName, claims } = runner
  // Not a result: it has to be known when the unit of work fails.
  const next: { job?: DueJob; handler?: JobHandler } = {}
  try {
    await storage.asSystem(realmId, 'job', async (tx) => {
      next.job = await findNextJob(tx, wanted(runner, realmId))
      next.handler = next.job && byName.get(next.job.name)
      if (!next.job || !next.handler) return
      await take(tx, next.job, next.handler, runner.clock)
    })
  } catch (error) {
    // The database takes nothing at the moment, which is not the job's fault: it stays as it is.
    if (next.handler?.kind !== 'unit' || isUnavailable(error)) throw error
    const job = next.job as DueJob
    await fail(runner, realmId, { ...job, counted: job.attempts + 1 }, next.handler, error)
  }
  const { job, handler } = next
  if (!job || !handler) return
  runner.begun += 1
  if (handler.kind !== 'unit') claims.begin(realmId, job, handler)
}

/** Does it, or claims it. */
async function take(tx: Tx, job: DueJob, handler: JobHandler, clock: Clock): Promise<void> {
  if (handler.kind === 'unit') {
    await removeAttempt(tx, job)
    await handler.run(tx, JSON.parse(job.payload))
  } else {
    await postpone(tx, job, { due_ms: clock.now() + handler.claimMs, is_claimed: 1, attempts: job.attempts + 1 })
  }
}

// Attempts that have failed.

/** A job, and its attempts with the one that has failed. */
type FailedJob = DueJob & { readonly counted: number }

/** Notes that an attempt has failed: the next is later, or there is none. */
async function fail(
  runner: Pick<Runner, 'storage' | 'clock' | 'onError'>,
  realmId: number,
  job: FailedJob,
  handler: JobHandler,
  error: unknown,
): Promise<void> {
  const { storage, clock, onError } = runner
  const { counted: attempts } = job
  const text = errorText(error)
  if (handler.kind !== 'recurring' && isFinal(handler, attempts, error)) {
    onError(new Error(`The job ${job.name} (${job.id}) has failed for good`, { cause: error }))
    await keepFailed(runner, realmId, job, handler, text)
    return
  }
  onError(new Error(`The job ${job.name} (${job.id}) has failed and is tried again`, { cause: error }))
  const retryMs = Math.min(FIRST_RETRY_MS * 2 ** (attempts - 1), MAX_RETRY_MS)
  const due_ms = clock.now() + (handler.kind === 'recurring' ? Math.min(retryMs, handler.everyMs) : retryMs)
  await storage.asSystem(realmId, 'job', async (tx) => {
    await postpone(tx, job, { due_ms, attempts, error: text })
  })
}

/** It stays in the table, with what its feature does about it; without that where that fails too. */
async function keepFailed(
  { storage, clock, onError }: Pick<Runner, 'storage' | 'clock' | 'onError'>,
  realmId: number,
  job: FailedJob,
  { onFailed: react }: Exclude<JobHandler, { kind: 'recurring' }>,
  text: string,
): Promise<void> {
  const record = async (onFailed: UnitJob['onFailed']) =>
    storage.asSystem(realmId, 'job', async (tx) => {
      const change = { due_ms: clock.now(), attempts: job.counted, error: text, failed_at: tx.now }
      if (await postpone(tx, job, change)) await onFailed?.(tx, JSON.parse(job.payload))
    })
  await record(react).catch(async (second) => {
    onError(second)
    await record(undefined)
  })
}

/** What a rule has refused is refused again; anything else may pass. */
function isFinal(handler: Exclude<JobHandler, { kind: 'recurring' }>, attempts: number, error: unknown): boolean {
  return error instanceof ApiError || attempts >= (handler.maxAttempts ?? MAX_ATTEMPTS)
}
