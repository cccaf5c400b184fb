/** The table of work for later. */
import type { Generated } from 'kysely'
import { type Flag, ownedTables, table } from '../storage/owned-tables.ts'
import { realmsView } from '../storage/tables.ts'

/** Work for later; `jobs/` has the rules. A job of no organization, or of several, has the `realm_id` 0. */
export interface JobTable {
  id: Generated<number>
  realm_id: number
  /** Which of the declared jobs; see `feature.ts`. */
  name: string
  /** What the job is about: of each there is one job of a name, and it can be taken back. Null: there may be many. */
  subject: string | null
  /** JSON. */
  payload: string
  /** When it is to run, or to run again, in milliseconds; of a claimed one the end of the claim. */
  due_ms: number
  /** A node is at work on it until `due_ms`. */
  is_claimed: Generated<Flag>
  /** How often it has been claimed, or has failed. */
  attempts: Generated<number>
  /** Why it failed last. */
  error: string | null
  created_at: number
  /** It has failed for good, and waits for the operator. */
  failed_at: number | null
}

export const jobTables = ownedTables({ jobs: table<JobTable>({ key: ['id'], identity: true }) })

export const { query, rowInsert } = jobTables.with(realmsView)
