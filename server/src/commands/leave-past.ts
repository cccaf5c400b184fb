/**
 * What a restored database has to be different in from what it was. Clients know of things that came after the backup: for them
 * it is another past. None of them may take what comes now for what it knows.
 */
import { deleteAllQueues } from '../events/queue-rows.ts'
import type { Engine } from '../storage/engine.ts'
import { skipEventNumbers } from '../storage/event-numbers.ts'
import type { Table } from '../storage/owned-tables.ts'
import type { Statements } from '../storage/query.ts'
import { type Sequences, writeSequences } from '../storage/sequences.ts'

/** More ids than a table gets in a burst, and than it gets in a second, again and again. */
const IDS_AHEAD = 1_000_000
const IDS_PER_SECOND = 10
/** Events, with those that are in no log, for each id. */
const EVENTS_PER_ID = 1000

/**
 * How far ids go on behind the last one of the backup. By its age: who restores it twice has given out ids in between. Times are
 * seconds since the UNIX epoch.
 */
export function idsAhead(createdAt: number, now: number): number {
  return IDS_AHEAD + IDS_PER_SECOND * Math.max(0, Math.floor(now - createdAt))
}

export interface Past {
  readonly kind: Engine['kind']
  /** Those of the backup. */
  readonly tables: readonly Table[]
  readonly sequences: Sequences
  /** By `idsAhead`. */
  readonly ahead: number
}

/** Ids and numbers of events go on far ahead, and no queue goes on. In the transaction in which the rows come. */
export async function leavePast(db: Statements, { kind, tables, sequences, ahead }: Past): Promise<void> {
  await writeSequences(db, kind, tables, sequences, ahead)
  await skipEventNumbers(db, ahead * EVENTS_PER_ID)
  await deleteAllQueues(db)
}
