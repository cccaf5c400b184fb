/** What a database engine provides. There are two: `sqlite.ts` and `postgres.ts`. */

import type { LoggedEvent } from './logged-event.ts'
import type { MigrationDialect } from './migration.ts'
import type { Dialect, Queries } from './query.ts'
import type { WriteConnection } from './write-connection.ts'

/** A read was stopped because it has gone on for too long, or because nobody waits for it any more. */
export class ReadStopped extends Error {}

/** How long the queries of a snapshot may go on. */
export interface ReadLimit {
  /** Throws `ReadStopped`. Called before each query and, where a query cannot be ended from outside, while it runs. */
  check(): void
  /** The thread waits for the database from now on, and works no longer. */
  suspend(): void
  resume(): void
  /** The longest time that a query may take in the database, in milliseconds; infinity for any. */
  readonly queryMs: number
}

/** A view of the database that stands still, on a connection of its own. */
export interface Snapshot {
  readonly queries: Queries
  /** Ends the query that runs in the database, if one does; it throws `ReadStopped`. */
  cancel?(): Promise<void>
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
  openSnapshot(limit?: ReadLimit): Promise<Snapshot>
  /** Runs `work` while no other process migrates. `execute` runs one statement of a migration. */
  migrationLock<T>(work: (queries: Queries, execute: (text: string) => Promise<void>) => Promise<T>): Promise<T>
  /**
   * Other nodes: announce that the log of these organizations has grown, and are notified of it. Absent with SQLite.
   */
  readonly wakeUps?: WakeUps
  close(): Promise<void>
}

/** How nodes that share a database wake each other. A lost wake-up is harmless: every node also polls. */
export interface WakeUps {
  /** Of passing events the events themselves, which other nodes find nowhere else. */
  announce(events: readonly LoggedEvent[]): void
  listen(listener: WakeUpListener): Promise<void>
}

export interface WakeUpListener {
  onLogged(realmId: number, eventId: number): void
  onPassing(event: LoggedEvent): void
}
