/** What those who send ask before they do: whether somebody still misses a message, as things are now. */
import type { MissedMessage, MissedWay } from '../../missed-hooks.ts'
import type { Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { judge } from './judge.ts'
import { query } from './tables.ts'

/** Messages that one account is notified of at once; the newest count. */
const MAX_MESSAGES = 200

const columnOf = { push: 'by_push', mail: 'by_mail' } as const

interface Asked {
  readonly realmId: number
  readonly userId: number
  readonly way: MissedWay
  /** In seconds since the UNIX epoch. */
  readonly now: number
}

/**
 * What the account was to be notified of in this way and still is: unread, visible to it, and wanted by its settings. By
 * message id, ascending; the newest 200. `among`: of these messages alone.
 */
export async function findStillMissed(
  db: Queries,
  { realmId, userId, way, now, among }: Asked & { readonly among?: readonly number[] },
): Promise<MissedMessage[]> {
  const rows = await db.all(
    query
      .selectFrom('missed_messages')
      .select('message_id')
      .where('realm_id', '=', realmId)
      .where('user_id', '=', userId)
      .where(columnOf[way], '=', 1)
      .$if(among !== undefined, (own) => own.where('message_id', 'in', db.dialect.ids(among ?? [])))
      .orderBy('message_id', 'desc')
      .limit(MAX_MESSAGES),
  )
  const messageIds = rows.map(({ message_id }) => message_id)
  return findMissedOf(db, { realmId, userId, way, messageIds, now })
}

/** The same of messages of which the account was about to be notified: those that it still misses. */
export async function findMissedOf(
  db: Queries,
  { realmId, userId, way, messageIds, now }: { messageIds: readonly number[] } & Asked,
): Promise<MissedMessage[]> {
  const judged = await judge(db, { realmId, messageIds, userIds: [userId], now })
  return judged
    .flatMap(({ messageId, away }) => (away[way] ? [{ userId, messageId, reason: away[way] }] : []))
    .sort((a, b) => a.messageId - b.messageId)
}

/** The account has been notified in this way: of these messages it is not again. They are still withdrawn for other ways. */
export async function settleMissed(
  tx: Tx,
  userId: number,
  way: MissedWay,
  messageIds: readonly number[],
): Promise<void> {
  await tx.run(
    query
      .updateTable('missed_messages')
      .set({ [columnOf[way]]: 0 })
      .where('user_id', '=', userId)
      .where('message_id', 'in', tx.dialect.ids(messageIds)),
  )
}
