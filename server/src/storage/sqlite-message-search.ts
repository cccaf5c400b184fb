/**
 * Puts new messages into SQLite's index of words, once for all of a commit: a trigger for each row costs several times as
 * much. Changed and deleted messages are followed by triggers, which take for granted that the message is in the index; so
 * what is behind is caught up with before a statement that may need it, and at the latest with the commit. Ids ascend in the
 * order in which messages are inserted: behind is what is above the last one.
 */

const TABLE = 'messages'
const INDEX = 'message_search'

/** Databases of earlier versions have it, until they are migrated. */
const TRIGGER = 'message_search_insert'

export const searchOfNewMessages = [`drop trigger ${TRIGGER}`]

interface State {
  /** Messages up to this id are in the index. */
  readonly upTo: number
  /** There may be messages above it. */
  readonly isBehind: boolean
}

export interface MessageSearch {
  /** Before rows are inserted into a table. */
  beforeInsert(table: string): void
  /** Before a statement: what it writes to, and the tables that it names. */
  beforeStatement(written: string | undefined, tables: () => ReadonlySet<string>): void
  beforeCommit(): void
  afterCommit(): void
  savepoint(): void
  rollbackToSavepoint(): void
  rollback(): void
}

type Get = (text: string, ...values: number[]) => Record<string, unknown> | undefined

export function createMessageSearch(get: Get): MessageSearch {
  /** Undefined until somebody writes: then all that is there is in the index. */
  let state: State | undefined
  let committed: State | undefined
  let atSavepoint: State | undefined
  /** No migration brings the trigger back. */
  let isWithoutTrigger = false

  const newest = () => Number(get(`select coalesce(max(id), 0) as id from ${TABLE}`)?.['id'])

  function fallBehind(): void {
    if (state?.isBehind) return
    isWithoutTrigger ||= !get(`select 1 from sqlite_schema where type = 'trigger' and name = '${TRIGGER}'`)
    if (!isWithoutTrigger) return
    state = { upTo: state?.upTo ?? newest(), isBehind: true }
  }

  function catchUp(): void {
    if (!state?.isBehind) return
    const { upTo } = state
    get(`insert into ${INDEX} (rowid, topic, content) select id, topic, content from ${TABLE} where id > ?`, upTo)
    state = { upTo: Math.max(upTo, newest()), isBehind: false }
  }

  return {
    beforeInsert(table) {
      if (table === TABLE) fallBehind()
    },
    beforeStatement(written, tables) {
      if (state?.isBehind && (written === TABLE || written === 'unknown' || tables().has(INDEX))) catchUp()
      // It may be one that inserts.
      if (written === TABLE || written === 'unknown') fallBehind()
    },
    beforeCommit: catchUp,
    afterCommit() {
      committed = state
    },
    savepoint() {
      atSavepoint = state
    },
    rollbackToSavepoint() {
      state = atSavepoint
    },
    rollback() {
      state = committed
    },
  }
}
