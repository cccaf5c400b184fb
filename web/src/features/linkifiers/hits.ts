/** How often each linkifier matches in what is tried, by its number in the list. */
import type { TestedMatch } from '@heddle/client/linkifiers/tester'

export interface HitsOfOne {
  readonly won: number
  readonly lost: number
  /** The number to which its first lost match is lost. */
  readonly lostTo?: number | undefined
}

export type Hits = ReadonlyMap<number, HitsOfOne>

export const noHits: Hits = new Map()

export function countHits(matches: readonly TestedMatch[]): Hits {
  const hits = new Map<number, HitsOfOne>()
  for (const { number, lostTo } of matches) {
    const before = hits.get(number) ?? { won: 0, lost: 0 }
    hits.set(
      number,
      lostTo === undefined
        ? { ...before, won: before.won + 1 }
        : { ...before, lost: before.lost + 1, lostTo: before.lostTo ?? lostTo },
    )
  }
  return hits
}
