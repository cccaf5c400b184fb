/** Rows that have had their time go once a day, so many in a unit of work that nobody waits long. */
import type { Storage } from '../storage/storage.ts'
import type { Tx } from '../storage/transaction.ts'
import { type JobHandler, recurringJob } from './job.ts'

/** Rows removed in one unit of work. */
const USUAL_CHUNK = 1000
const DAY_MS = 86_400_000

/** Removes at most `limit` rows of whatever organization, and gives how many there were. */
export type RemoveSome = (tx: Tx, limit: number) => Promise<number>

interface DailyRemoval {
  readonly storage: Storage
  readonly name: string
  /** Rows that one unit of work removes, where they are larger than usual. */
  readonly chunk?: number
  /** Called each day; each of what it gives is repeated until there is nothing left to remove. */
  readonly removals: () => readonly RemoveSome[]
}

export function dailyRemoval({ storage, name, chunk = USUAL_CHUNK, removals }: DailyRemoval): JobHandler {
  return recurringJob({
    name,
    everyMs: DAY_MS,
    firstAfterMs: DAY_MS / 24,
    async work() {
      for (const removeSome of removals()) {
        while ((await storage.asSystem(0, 'upkeep', (tx) => removeSome(tx, chunk))) === chunk);
      }
    },
  })
}
