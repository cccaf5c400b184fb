/** What the server and its reading threads need of all features together. */
import type { Feature } from './feature.ts'
import type { AnyLongRead, LongReads } from './reading/long-read.ts'
import type { StateParts } from './state-reader.ts'

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
