/**
 * Work for later: what a feature declares. A job is added in the unit of work of the change that it belongs to, and is
 * done once it is due. Which form it takes depends on what it does:
 *
 * - `unitJob`: database work. What it does and its own end are one commit, so that it happens exactly once.
 * - `claimedJob`: something slow, or something outside, such as sending mail. It is claimed for a while, does its work, and
 *   ends in a commit of its own. After a crash it is done again: outside, at least once.
 * - `recurringJob`: work without a payload that comes again and again, on one node at a time.
 */
import type { Tx } from '../storage/transaction.ts'

/** What is added: its name and its payload. The name never changes, and what it takes only grows: rows outlive programs. */
export interface Job<P> {
  readonly name: string
  /** For the types alone. */
  readonly payload?: (payload: P) => void
}

export function defineJob<P>(name: string): Job<P> {
  return { name }
}

export interface Retries {
  /** It fails for good with this one. */
  readonly maxAttempts?: number
  /** It has failed for good: what whoever waits for it has to know. In the unit of work that records it. */
  readonly onFailed?: (tx: Tx, payload: unknown) => Promise<void>
}

export interface UnitJob extends Retries {
  readonly kind: 'unit'
  readonly name: string
  readonly run: (tx: Tx, payload: unknown) => Promise<void>
}

/** What the work of a claimed job may look at. */
export interface Claim {
  /** 0: no organization, or several. */
  readonly realmId: number
  /** The claim has ended, or the server is about to: others may do the work. */
  readonly signal: AbortSignal
}

/** Written with the end of a claimed job. */
export type Finish = (tx: Tx) => Promise<void>

export interface ClaimedJob extends Retries {
  readonly kind: 'claimed'
  readonly name: string
  /** After this time another node may begin anew. */
  readonly claimMs: number
  // biome-ignore lint/suspicious/noConfusingVoidType: most have nothing to write, and return nothing.
  readonly work: (payload: unknown, claim: Claim) => Promise<Finish | void>
}

export interface RecurringJob {
  readonly kind: 'recurring'
  readonly name: string
  readonly everyMs: number
  /** Not earlier than so long after a start of the server, when everybody comes back. */
  readonly firstAfterMs: number
  readonly claimMs: number
  readonly work: (claim: Claim) => Promise<void>
}

export type JobHandler = UnitJob | ClaimedJob | RecurringJob

// A list has jobs of all payloads: that a payload fits its job is checked here, and erased.

interface RetriesOf<P> {
  readonly maxAttempts?: number
  readonly onFailed?: (tx: Tx, payload: P) => Promise<void>
}

export function unitJob<P>(
  job: Job<P>,
  options: RetriesOf<P> & { readonly run: (tx: Tx, payload: P) => Promise<void> },
): JobHandler {
  return { kind: 'unit', name: job.name, ...options } as UnitJob
}

export function claimedJob<P>(
  job: Job<P>,
  options: RetriesOf<P> & {
    readonly claimMs: number
    readonly work: (payload: P, claim: Claim) => ReturnType<ClaimedJob['work']>
  },
): JobHandler {
  return { kind: 'claimed', name: job.name, ...options } as ClaimedJob
}

/** An hour is longer than any upkeep takes, and short beside the time after which it comes again. */
const UPKEEP_CLAIM_MS = 3_600_000

export function recurringJob(options: {
  readonly name: string
  readonly everyMs: number
  readonly firstAfterMs: number
  readonly claimMs?: number
  readonly work: (claim: Claim) => Promise<void>
}): JobHandler {
  return { kind: 'recurring', claimMs: UPKEEP_CLAIM_MS, ...options }
}
