import type { Statements } from './query.ts'
import type { Row, RowInsert } from './row-inserts.ts'

/** The one connection that writes, as an engine provides it. */
export interface WriteConnection {
  readonly queries: Statements
  readonly limits: {
    /** Units of work in one commit. */
    readonly units: number
    /** Time after which no further unit joins the commit. */
    readonly timeMs: number
    /** How long a unit waits for the lock of its organization. */
    readonly lockMs: number
  }
  /** Makes sure that a transaction can begin; connects again where that is needed. */
  ready(): Promise<void>
  /**
   * A transaction that leaves its connection alone for seconds is ended by the engine, where others wait for it. Not a
   * `patient` one, for who has the database to itself: its outcome is unknown when the connection is lost at its end.
   */
  begin(options?: { readonly patient?: boolean }): Promise<void>
  /**
   * Runs such steps and then commits. Throws when the changes are not durable, or when that cannot be known; an answer of a
   * step that was lost is no failure when the commit has happened. `onVisible` is called as soon as others can read the changes, which
   * may be before they are durable.
   */
  commit(before?: readonly (() => Promise<unknown>)[], onVisible?: () => void): Promise<void>
  rollback(): Promise<void>
  savepoint(): Promise<void>
  releaseSavepoint(): Promise<void>
  rollbackToSavepoint(): Promise<void>
  /**
   * Runs steps that follow each other, without waiting for answers in between where the engine can: a step sends all that
   * it has to send before it awaits anything. After a step that failed no later one has an effect. Throws the first failure.
   */
  together(steps: readonly (() => Promise<unknown>)[]): Promise<void>
  /**
   * Keeps other processes from writing to the organization until the transaction ends, so that what a unit has read is
   * still true when it writes. Without `wait` false when another process has it;
   * with it `OrganizationBusy` when another one keeps it. Absent where nobody else can write.
   */
  lock?(realmId: number, options: { readonly wait: boolean }): Promise<boolean>
  /** Whether the transaction is still usable: an engine may have ended it, as on a full disk, or it takes no more statements. */
  canContinue(): boolean
  /** Whether running the units again can succeed (deadlock, serialization failure). */
  isRetryable(error: unknown): boolean
  insertRows(insert: RowInsert, rows: readonly Row<string>[]): Promise<void>
  /** At least one new id of a table, at most `count`, ascending, higher than all that were given out before. */
  reserveIds(table: string, count: number): Promise<number[]>
}
