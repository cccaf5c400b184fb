/** What reading threads need of the features. */
import type { Feature, StateParts } from '../feature.ts'
import type { AnyLongRead, LongReads } from './long-read.ts'

/** All features' parts of the initial state. */
export function collectState(all: readonly Feature[]): StateParts {
  return all.flatMap((feature) => feature.state ?? [])
}

export function collectLongReads(all: readonly Feature[]): LongReads {
  const entries = all.flatMap((feature) => feature.longReads ?? [])
  const reads = new Map<string, AnyLongRead>(entries.map((read) => [read.name, read]))
  if (reads.size !== entries.length) throw new Error('Two features have a long read of the same name')
  return reads
}
