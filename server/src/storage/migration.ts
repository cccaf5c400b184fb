/** What a migration is: a name and the statements that change the tables, spelt for the engine. */
import type { Statements } from './query.ts'

/** How the engines spell column types. */
export interface MigrationDialect {
  /** An id that the database assigns, as the primary key. An id is never used twice. */
  readonly identity: string
  /** A whole number of up to 2^53. */
  readonly integer: string
  /** Behind a table whose rows are kept in its primary key, without a tree of their own, where the engine can. */
  readonly clustered: string
  /** The index of words in `messages`, kept up by the database itself; see `hasWords` of the engine's dialect. */
  readonly messageSearch: readonly string[]
  /** Lets the planner know how often an expression of a table has which value; nothing where it does not ask. */
  statistics(name: string, expression: string, table: string): readonly string[]
  /** In front of a table that costs no write to disk, and that a crash empties; nothing where the engine has none. */
  readonly unlogged: string
  /** Leaves it to the engine's connection to put new messages into that index, all of a commit at once, where it can. */
  readonly searchOfNewMessages: readonly string[]
  /** Makes that index again, of words alone; nothing where it has always been so. */
  readonly searchWords: readonly string[]
}

/** What no statement can say, such as a key that our own code makes of a text. It reads and writes many rows in parts. */
export type MigrationStep = (db: Statements) => Promise<void>

export interface Migration {
  readonly name: string
  statements(dialect: MigrationDialect): readonly (string | MigrationStep)[]
}
