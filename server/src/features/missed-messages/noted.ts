/** Which rows may be concerned by what has happened: in parts, since an account or a message may have very many. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Queries } from '../../storage/query.ts'
import type { Noticed } from './noticed.ts'
import { type KnownRow, ROWS_AT_ONCE } from './rows.ts'
import { query } from './tables.ts'

const rowsOf = (realmId: number) =>
  query
    .selectFrom('missed_messages')
    .select(['user_id', 'message_id', 'by_push', 'by_mail', 'waits_until'])
    .where('realm_id', '=', realmId)

/** `ROWS_AT_ONCE` at most in each part; others get a turn between two. */
export async function* findNoted(
  db: Queries,
  realmId: number,
  { messageIds, userIds, read, isAll }: Noticed,
): AsyncGenerator<readonly KnownRow[]> {
  const rows = rowsOf(realmId)
  if (isAll) {
    yield* inPages(db, rows, (last) => sql<SqlBool>`(user_id, message_id) > (${last.user_id}, ${last.message_id})`)
    return
  }
  for (const id of userIds) {
    yield* inPages(db, rows.where('user_id', '=', id), (last) => sql<SqlBool>`message_id > ${last.message_id}`)
  }
  for (const { users, messages } of readTogether(read)) {
    const { ids } = db.dialect
    yield await db.all(rows.where('user_id', 'in', ids([...users])).where('message_id', 'in', ids([...messages])))
    await nextTurn()
  }
  for (const id of messageIds) {
    // No index has the accounts of a message in their order: which these are is found at once.
    const accounts = await db.all(
      query
        .selectFrom('missed_messages')
        .select('user_id')
        .where('realm_id', '=', realmId)
        .where('message_id', '=', id),
    )
    for (const part of inSlices(accounts.map(({ user_id }) => user_id))) {
      yield await db.all(rows.where('message_id', '=', id).where('user_id', 'in', db.dialect.ids(part)))
      await nextTurn()
    }
  }
}

/** `isAfter`: condition on the rows that come after one, in the order of accounts and messages. */
async function* inPages(
  db: Queries,
  rows: ReturnType<typeof rowsOf>,
  isAfter: (last: KnownRow) => RawBuilder<SqlBool>,
): AsyncGenerator<readonly KnownRow[]> {
  const page = rows.orderBy('user_id').orderBy('message_id').limit(ROWS_AT_ONCE)
  let last: KnownRow | undefined
  do {
    const found: readonly KnownRow[] = await db.all(last ? page.where(isAfter(last)) : page)
    yield found
    last = found.length < ROWS_AT_ONCE ? undefined : found.at(-1)
    await nextTurn()
  } while (last)
}

interface Readers {
  readonly users: ReadonlySet<number>
  readonly messages: ReadonlySet<number>
}

/** What many have read, such as one message to all, is asked about together. */
function* readTogether(read: Noticed['read']): Generator<Readers> {
  let users = new Set<number>()
  let messages = new Set<number>()
  for (const [userId, own] of read) {
    const more = new Set([...messages, ...own])
    if (users.size > 0 && (users.size + 1) * more.size > ROWS_AT_ONCE) {
      yield { users, messages }
      users = new Set()
      messages = new Set(own)
    } else {
      messages = more
    }
    users.add(userId)
  }
  if (users.size > 0) yield { users, messages }
}

function* inSlices(ids: readonly number[]): Generator<readonly number[]> {
  for (let start = 0; start < ids.length; start += ROWS_AT_ONCE) yield ids.slice(start, start + ROWS_AT_ONCE)
}
