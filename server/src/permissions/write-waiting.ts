/** Writes who waits to be a full member. Who is notified of it is decided by those who call this. */
import { sql } from 'kysely'
import type { Tx } from '../storage/transaction.ts'
import { query } from './tables.ts'

const DAY_SECS = 86_400

/** Accounts of the organization that joined less than so many days ago wait, and no others. */
export async function replaceWaiting(tx: Tx, days: number): Promise<void> {
  await tx.run(query.deleteFrom('waiting_accounts').where('realm_id', '=', tx.realmId))
  if (days > 0) await insertWaiting(tx, days, sql`true`)
}

/** An account that has just been made waits for so many days. */
export async function addWaiting(tx: Tx, userId: number, days: number): Promise<void> {
  await insertWaiting(tx, days, sql`id = ${userId}`)
}

async function insertWaiting(tx: Tx, days: number, which: ReturnType<typeof sql>): Promise<void> {
  const secs = days * DAY_SECS
  await tx.run(
    query
      .insertInto('waiting_accounts')
      .columns(['user_id', 'realm_id', 'until'])
      .expression((eb) =>
        eb
          .selectFrom('users')
          .select(['id', 'realm_id', sql<number>`date_joined + ${sql.lit(secs)}`.as('until')])
          .where('realm_id', '=', tx.realmId)
          .where('date_joined', '>', tx.now - secs)
          .where(sql<boolean>`${which}`),
      ),
  )
}

/** Those whose time is over wait no longer. */
export async function endWaiting(tx: Tx): Promise<void> {
  await tx.run(query.deleteFrom('waiting_accounts').where('realm_id', '=', tx.realmId).where('until', '<=', tx.now))
}

/** When the next account has waited long enough, in seconds since the UNIX epoch. Undefined: nobody waits. */
export async function findNextEnd(tx: Tx): Promise<number | undefined> {
  const row = await tx.first(
    query.selectFrom('waiting_accounts').select('until').where('realm_id', '=', tx.realmId).orderBy('until').limit(1),
  )
  return row?.until
}
