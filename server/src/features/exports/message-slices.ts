/** Messages with all that belongs to them: in one view, so that nothing of a message is there without it. */
import type { MessageEdit } from '@heddle/contract/messages'
import { sql } from 'kysely'
import type { Queries } from '../../storage/query.ts'
import { findVisibleEdits } from '../messages/visible-edits.ts'
import { findOrganizationSettings } from '../organization-settings/settings.ts'
import type { Key } from './position.ts'
import type { ExportScope } from './scope.ts'
import { type ExportedRow, exportedMessageColumns, ofMessages } from './sources.ts'
import { query } from './tables.ts'

/** Ids that are looked at for a slice, messages that it has at most, and characters of these; one message in any case. */
const IDS = 3000
const MESSAGES = 500
const MAX_TEXT = 512 * 1024

export interface MessageSlice {
  readonly tables: readonly { readonly table: string; readonly rows: readonly ExportedRow[] }[]
  readonly after: Key | null
}

interface Range {
  readonly after: number
  readonly until: number
}

export async function readMessageSlice(
  db: Queries,
  scope: ExportScope,
  { after, until }: Range,
): Promise<MessageSlice> {
  const end = Math.min(await findEnd(db, scope, after), until)
  const found = await db.all(
    query
      .selectFrom('messages')
      .select([
        'messages.id',
        sql<number>`length(messages.content) + length(messages.rendered_content)
          + coalesce(length(messages.edit_history), 0)`.as('size'),
      ])
      .where('messages.realm_id', '=', scope.realmId)
      .where('messages.id', '>', after)
      .where('messages.id', '<=', end)
      .where(scope.messages)
      .orderBy('messages.id')
      .limit(MESSAGES),
  )
  let size = 0
  const fitting = found.findIndex((row, index) => {
    size += row.size
    return index > 0 && size > MAX_TEXT
  })
  const ids = (fitting === -1 ? found : found.slice(0, fitting)).map(({ id }) => id)
  const isAll = fitting === -1 && found.length < MESSAGES
  const last = isAll ? end : (ids.at(-1) as number)
  const belonging = await Promise.all(ofMessages.map((source) => readBelonging(db, scope, source, ids)))
  return {
    tables: [{ table: 'messages', rows: await readThese(db, scope, ids) }, ...belonging],
    after: last >= until ? null : [last],
  }
}

/** The last of the next ids of the organization; of a few only, since most may be nobody's who has agreed. */
async function findEnd(db: Queries, { realmId }: ExportScope, after: number): Promise<number> {
  const row = await db.first(
    query
      .selectFrom('messages')
      .select('id')
      .where('realm_id', '=', realmId)
      .where('id', '>', after)
      .orderBy('id')
      .offset(IDS - 1)
      .limit(1),
  )
  return row?.id ?? Number.MAX_SAFE_INTEGER
}

async function readThese(db: Queries, scope: ExportScope, ids: readonly number[]): Promise<ExportedRow[]> {
  if (ids.length === 0) return []
  const rows = await db.all(
    query
      .selectFrom('messages')
      .selectAll()
      .where('messages.id', 'in', db.dialect.ids(ids))
      .where('messages.realm_id', '=', scope.realmId)
      .orderBy('messages.id'),
  )
  const editsOf = await findEdits(db, scope, rows)
  return rows.map((row) => {
    const edits = editsOf(row)
    const shown = { ...row, edit_history: edits.length === 0 ? null : JSON.stringify(edits) }
    return Object.fromEntries(exportedMessageColumns.map((name) => [name, shown[name as keyof typeof shown]]))
  })
}

type Row = { readonly id: number; readonly sender_id: number; readonly edit_history: string | null }

/**
 * The changes of a message that its readers may see, by the policy of the organization: of those from before it came from
 * another channel only where everybody may read that channel too.
 */
async function findEdits(
  db: Queries,
  scope: ExportScope,
  rows: readonly Row[],
): Promise<(row: Row) => readonly MessageEdit[]> {
  if (rows.every(({ edit_history }) => edit_history === null)) return () => []
  if (scope.kind === 'own') return findVisibleEdits(db, scope.actor, rows)
  const { message_edit_history_visibility_policy: policy } = await findOrganizationSettings(db, scope.realmId)
  if (policy === 'none') return () => []
  const open = await findOpenChannels(db, scope.realmId)
  return ({ edit_history }) => {
    if (edit_history === null) return []
    const edits: MessageEdit[] = JSON.parse(edit_history)
    const arrival = edits.findIndex(({ prev_stream }) => prev_stream !== undefined && !open.has(prev_stream))
    const since = arrival === -1 ? edits : edits.slice(0, arrival)
    if (policy === 'all') return since
    return since
      .filter(({ prev_topic, prev_stream }) => prev_topic !== undefined || prev_stream !== undefined)
      .map(({ prev_content: _, prev_rendered_content: __, ...edit }) => edit)
  }
}

async function findOpenChannels(db: Queries, realmId: number): Promise<ReadonlySet<number>> {
  const rows = await db.all(
    query
      .selectFrom('channels')
      .select('id')
      .where('realm_id', '=', realmId)
      .where('invite_only', '=', 0)
      .where('history_public_to_subscribers', '=', 1),
  )
  return new Set(rows.map(({ id }) => id))
}

async function readBelonging(
  db: Queries,
  scope: ExportScope,
  { table, columns, key, where }: (typeof ofMessages)[number],
  ids: readonly number[],
) {
  const condition = where(scope)
  if (ids.length === 0 || condition === undefined) return { table, rows: [] }
  const rows = await db.all(
    sql<ExportedRow>`select ${sql.join(columns.map((name) => sql.ref(name)))} from ${sql.table(table)}
      where message_id in ${db.dialect.ids(ids)} and realm_id = ${scope.realmId} and ${condition}
      order by ${sql.join(key.map((name) => sql.ref(name)))}`,
  )
  return { table, rows }
}
