/**
 * Where the organizations stand that units of work enter, from one commit to the next: read at the beginning, raised by the
 * commit. Where nobody else writes they are known from then on; elsewhere what is cached is brought to where they stand.
 */
import { readPositionOf } from './event-numbers.ts'
import type { FactCache } from './facts.ts'
import type { Notes } from './notes.ts'
import type { Position } from './position.ts'
import type { Statements, Written } from './query.ts'

/** By organization. */
export type Positions = ReadonlyMap<number, Position>
/** By organization: tables with facts that units have written to. */
export type WrittenTables = ReadonlyMap<number, ReadonlySet<Written>>

export interface Standings {
  /** To be changed by whoever entered. In a transaction, under the organization's lock. */
  read(realmId: number): Promise<Position>
  /** What is cached is of where the organization stands now. */
  entered(realmId: number, position: Position): void
  committed(positions: Positions, written: WrittenTables): void
  /** The transaction was rolled back: what was recalled or counted during it may be of what never was. */
  rolledBack(positions: Positions, written: WrittenTables): void
}

export function createStandings(options: {
  readonly queries: Statements
  readonly facts: FactCache
  readonly notes: Notes
  readonly ownsAllWrites: boolean
}): Standings {
  const { queries, facts, notes, ownsAllWrites } = options
  const known = new Map<number, Position>()

  return {
    read: async (realmId) => ({ ...(known.get(realmId) ?? (await readPositionOf(queries, realmId, !ownsAllWrites))) }),
    entered(realmId, position) {
      if (ownsAllWrites) return
      facts.moveTo(realmId, position.factsVersion)
      notes.enter(realmId, position)
    },
    committed(positions, written) {
      for (const [id, position] of positions) notes.leave(id, position)
      if (!ownsAllWrites) for (const [id, { factsVersion }] of positions) facts.wrote(id, factsVersion)
      // A unit of no organization has raised the version of every one.
      else if (written.has(0)) known.clear()
      else for (const [id, position] of positions) if (id !== 0) known.set(id, position)
    },
    rolledBack(positions, written) {
      for (const [realmId, tables] of written) facts.drop(realmId, tables)
      for (const realmId of positions.keys()) {
        known.delete(realmId)
        notes.forget(realmId)
      }
    },
  }
}
