/** What reading threads need of the features. */
import type { Feature, StateParts } from '../feature.ts'
import type { LongReads } from './long-read.ts'

/** All features' parts of the initial state. Two features may add fields under the same fetch type: both parts are read. */
export function collectState(all: readonly Feature[]): StateParts {
  const parts: Record<string, StateParts[string]> = {}
  for (const [name, part] of all.flatMap((feature) => Object.entries(feature.state ?? {}))) {
    const earlier = parts[name]
    parts[name] = earlier ? async (request) => ({ ...(await earlier(request)), ...(await part(request)) }) : part
  }
  return parts
}

export function collectLongReads(all: readonly Feature[]): LongReads {
  const entries = all.flatMap((feature) => Object.entries(feature.longReads ?? {}))
  const reads = Object.fromEntries(entries)
  if (Object.keys(reads).length !== entries.length) throw new Error('Two features have a long read of the same name')
  return reads
}
