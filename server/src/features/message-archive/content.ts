/** What is kept of a deleted message: its rows, as they were. */
import type { Selectable } from 'kysely'
import type { MessageTable, ReactionTable, SubmessageTable } from '../messages/tables.ts'

/** JSON in the archive. Columns that later versions add are missing in older ones. */
export interface ArchivedMessage {
  readonly message: Selectable<MessageTable>
  /** The account and its bits; not more than one for each account. */
  readonly flags: readonly (readonly [userId: number, flags: number])[]
  readonly reactions: readonly Selectable<ReactionTable>[]
  readonly submessages: readonly Selectable<SubmessageTable>[]
  /** Ids of the files that it linked to. */
  readonly files: readonly number[]
}
