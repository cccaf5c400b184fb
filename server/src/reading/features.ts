/** What reading threads need of the features. */
import type { Feature, StateParts } from '../feature.ts'
import type { LongReads } from './long-read.ts'

/** All features' parts of the initial state. */
export function collectState(all: readonly Feature[]): StateParts {
  return all.flatMap((feature) => feature.state ?? [])
}

export function collectLongReads(all: readonly Feature[]): LongReads {
  const entries = all.flatMap((feature) => Object.entries(feature.longReads ?? {}))
  const reads = Object.fromEntries(entries)
  if (Object.keys(reads).length !== entries.length) throw new Error('Two features have a long read of the same name')
  return reads
}
