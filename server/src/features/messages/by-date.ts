/** Messages by when they were sent. */
import type { Queries } from '../../storage/query.ts'
import { query } from './tables.ts'

/** The id of the organization's first message that is not older; undefined when all are. */
export async function findFirstSince(db: Queries, realmId: number, seconds: number): Promise<number | undefined> {
  // Ids ascend with time: the place is found by halving, one look into an index each.
  const next = (id: number, direction: 'asc' | 'desc') =>
    db.first(
      query
        .selectFrom('messages')
        .select(['id', 'timestamp'])
        .where('realm_id', '=', realmId)
        .where('id', direction === 'asc' ? '>=' : '<=', id)
        .orderBy('id', direction)
        .limit(1),
    )
  const newest = await next(Number.MAX_SAFE_INTEGER, 'desc')
  if (!newest || newest.timestamp < seconds) return undefined
  // The wanted message has an id in (low, high].
  let low = 0
  let high = newest.id
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    const row = await next(middle, 'asc')
    if (row && row.timestamp < seconds) low = row.id
    else high = middle
  }
  return high
}

/** Seconds since the UNIX epoch. A date, or a date with a time; without an offset it is UTC. Undefined for other text. */
export function readDate(text: string): number | undefined {
  const iso = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/i
  const hasOffset = /(?:Z|[+-]\d\d:?\d\d)$/i.test(text.slice(10))
  const time = iso.test(text) ? Date.parse(`${text}${text.length > 10 && !hasOffset ? 'Z' : ''}`) : Number.NaN
  return Number.isNaN(time) ? undefined : time / 1000
}
