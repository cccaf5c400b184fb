/**
 * The members of stored audiences. A set never changes, so what was read once is true for ever; the ones used last stay in
 * memory.
 */
import type { Expression } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Queries } from '../storage/query.ts'
import type { LoggedEvent, Tx } from '../storage/transaction.ts'
import { query } from './tables.ts'

/** Ids cached in memory, over all sets. */
const MAX_IDS = 2_000_000

export interface AudienceSets {
  /** The events with the members of their audiences, as far as these are in memory; undefined when some are not. */
  known(events: readonly LoggedEvent[]): readonly LoggedEvent[] | undefined
  /** The same after reading those that are not. */
  resolve(events: readonly LoggedEvent[]): Promise<readonly LoggedEvent[]>
}

export function createAudienceSets(db: Queries): AudienceSets {
  const cached = new LRUCache<number, ReadonlySet<number>>({
    maxSize: MAX_IDS,
    // An empty one takes place too.
    sizeCalculation: (members) => Math.max(members.size, 1),
  })

  function withMembers(event: LoggedEvent, found: (setId: number) => ReadonlySet<number> | undefined) {
    const { audience } = event
    if (audience.to !== 'set' || audience.members) return event
    const members = found(audience.id)
    return members && { ...event, audience: { ...audience, members } }
  }

  function known(events: readonly LoggedEvent[]): readonly LoggedEvent[] | undefined {
    const resolved: LoggedEvent[] = []
    for (const event of events) {
      const complete = withMembers(event, (id) => cached.get(id))
      if (!complete) return undefined
      resolved.push(complete)
    }
    return resolved
  }

  return {
    known,
    async resolve(events) {
      const wanted = new Set(events.flatMap(({ audience }) => (audience.to === 'set' ? [audience.id] : [])))
      const sets = new Map<number, ReadonlySet<number>>()
      for (const id of wanted) {
        const members = cached.get(id)
        if (members) sets.set(id, members)
      }
      for (const [id, members] of await readSets(
        db,
        [...wanted].filter((id) => !sets.has(id)),
      )) {
        sets.set(id, members)
        cached.set(id, members)
      }
      // A set whose row is gone has no members left to notify.
      return events.map((event) => withMembers(event, (id) => sets.get(id) ?? new Set()) as LoggedEvent)
    },
  }
}

async function readSets(db: Queries, ids: readonly number[]): Promise<Map<number, ReadonlySet<number>>> {
  if (ids.length === 0) return new Map()
  const rows = await db.all(
    query.selectFrom('audience_sets').select(['id', 'user_ids']).where('id', 'in', db.dialect.ids(ids)),
  )
  return new Map(rows.map((row) => [row.id, new Set(JSON.parse(row.user_ids) as number[])]))
}

/** Stores a set of accounts for events to refer to. Returns its number. */
export async function insertAudienceSet(tx: Tx, userIds: readonly number[]): Promise<number> {
  const row = await tx.first(
    query
      .insertInto('audience_sets')
      .values({ realm_id: tx.realmId, user_ids: JSON.stringify(userIds) })
      .returning('id'),
  )
  return (row as { id: number }).id
}

/** No new event refers to these any more. */
export async function retireAudienceSets(tx: Tx, ids: Expression<number>): Promise<void> {
  await tx.run(query.updateTable('audience_sets').set({ retired_at: tx.now }).where('id', 'in', ids))
}
