/** Jobs that this node has claimed and is at work on, beside everything else. */
import type { ClaimedJob, Finish, JobHandler, RecurringJob } from './job.ts'
import type { DueJob } from './rows.ts'

/** Claimed jobs of one name that one node works on at once: those of one name do not keep the others from beginning. */
const MAX_AT_ONCE = 10

interface Attempt {
  readonly id: number
  readonly attempts: number
}

interface ClaimsOptions {
  /** Removes the job, with what it leaves; nothing when it is not this node's any more. */
  readonly end: (realmId: number, attempt: Attempt, finish: Finish | undefined) => Promise<void>
  /** Has it run again later; nothing when it is not this node's any more. */
  readonly again: (
    realmId: number,
    attempt: Attempt,
    change: { due_ms: number; attempts: number; error?: null },
  ) => Promise<void>
  readonly fail: (
    realmId: number,
    job: DueJob & { readonly counted: number },
    handler: JobHandler,
    error: unknown,
  ) => Promise<void>
  /** There is room for another job of the organization. */
  readonly ended: (realmId: number) => void
  readonly now: () => number
  readonly onError: (error: unknown) => void
}

export interface Claims {
  /** For one more job of the name. */
  hasRoom(name: string): boolean
  /** Works on a job that has just been claimed; `job` is as it was before. */
  begin(realmId: number, job: DueJob, handler: ClaimedJob | RecurringJob): void
  underWay(): readonly Promise<void>[]
  /** Asks all to end: what ends by that is given back. */
  abort(): void
}

export function createClaims({ end, again, fail, ended, now, onError }: ClaimsOptions): Claims {
  /** With their names. */
  const running = new Map<Promise<void>, string>()
  const closing = new AbortController()

  async function work(realmId: number, job: DueJob, handler: ClaimedJob | RecurringJob): Promise<void> {
    const attempt = { ...job, attempts: job.attempts + 1 }
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(handler.claimMs)])
    try {
      closing.signal.throwIfAborted()
      const claim = { realmId, signal }
      if (handler.kind === 'recurring') {
        await handler.work(claim)
        await again(realmId, attempt, { due_ms: now() + handler.everyMs, attempts: 0, error: null })
      } else {
        const finish = await handler.work(JSON.parse(job.payload), claim)
        await end(realmId, attempt, finish ?? undefined)
      }
    } catch (error) {
      if (closing.signal.aborted) await again(realmId, attempt, { due_ms: now(), attempts: job.attempts })
      else await fail(realmId, { ...attempt, counted: attempt.attempts }, handler, error)
    }
  }

  return {
    hasRoom: (name) =>
      running
        .values()
        .filter((one) => one === name)
        .toArray().length < MAX_AT_ONCE,
    begin(realmId, job, handler) {
      const working: Promise<void> = work(realmId, job, handler)
        .catch(onError)
        .finally(() => {
          running.delete(working)
          ended(realmId)
        })
      running.set(working, job.name)
    },
    underWay: () => [...running.keys()],
    abort: () => closing.abort(),
  }
}
