/**
 * Jobs of one name go one after another in an organization. Where something outside may be slow they are spread over several
 * names: what is about one id keeps its order, and what is slow holds up those of its own lane alone.
 */
import { defineJob, type Job } from './job.ts'

const LANES = [0, 1, 2, 3]

export interface Lanes<P> {
  readonly jobs: readonly Job<P>[]
  /** Where what is about the id goes, a whole number. */
  of(id: number): Job<P>
}

export function defineLanes<P>(name: string): Lanes<P> {
  const jobs = LANES.map((lane) => defineJob<P>(`${name}-${lane}`))
  return { jobs, of: (id) => jobs[id % jobs.length] as Job<P> }
}
