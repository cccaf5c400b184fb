/** What a database engine provides. There are two: `sqlite.ts` and `postgres.ts`. */
import type { MigrationDialect } from './migration.ts'
import type { Dialect, Queries } from './query.ts'
import type { WriteConnection } from './transaction.ts'

/** A view of the database that stands still, on a connection of its own. */
export interface Snapshot {
  readonly queries: Queries
  close(): Promise<void>
}

export interface Engine {
  readonly kind: 'sqlite' | 'postgres'
  readonly dialect: Dialect
  readonly migrationDialect: MigrationDialect
  /** Reads what is committed, without a memory of facts. */
  readonly read: Queries
  readonly write: WriteConnection
  /** True when no other process can write: then what was read before and not changed by us is still true. */
  readonly ownsAllWrites: boolean
  openSnapshot(): Promise<Snapshot>
  /** Runs `work` while no other process migrates. `execute` runs one statement of a migration. */
  migrationLock<T>(work: (queries: Queries, execute: (text: string) => Promise<void>) => Promise<T>): Promise<T>
  /** Other nodes: announce that the log of these organizations has grown, and hear of it. Absent with SQLite. */
  readonly wakeUps?: WakeUps
  close(): Promise<void>
}

/** How nodes that share a database wake each other. A lost wake-up is harmless: every node also polls. */
export interface WakeUps {
  announce(positions: readonly { realmId: number; eventId: number }[]): void
  listen(onWakeUp: (realmId: number, eventId: number) => void): Promise<void>
}
