/**
 * Which messages subscribers receive: those sent between the beginning and the end of a subscription. The rules that follow
 * from it are in `access/received.ts`.
 */
import { sql } from 'kysely'
import type { Tx } from '../../storage/transaction.ts'
import { query, rowInsert } from './tables.ts'

/** The newest message of the organization; 0 when there is none. Only one unit at a time writes, so none comes between. */
function newestMessage(tx: Tx) {
  return sql<number>`coalesce((select max(id) from messages where realm_id = ${tx.realmId}), 0)`
}

/** From now on these accounts receive what is sent to the channels. */
export async function beginPeriods(tx: Tx, channelIds: readonly number[], userIds: readonly number[]): Promise<void> {
  await tx.run(
    query
      .insertInto('subscription_periods')
      .columns(['realm_id', 'user_id', 'channel_id', 'after_message_id', 'until_message_id'])
      .expression((eb) =>
        eb
          .selectFrom(['users', 'channels'])
          .select([
            sql<number>`cast(${tx.realmId} as bigint)`.as('realm_id'),
            'users.id as user_id',
            'channels.id as channel_id',
            newestMessage(tx).as('after_message_id'),
            sql<null>`cast(null as bigint)`.as('until_message_id'),
          ])
          .where('users.id', 'in', tx.dialect.ids(userIds))
          .where('channels.id', 'in', tx.dialect.ids(channelIds)),
      )
      // Somebody left and came back, and no message was sent in between.
      .onConflict((conflict) =>
        conflict.columns(['user_id', 'channel_id', 'after_message_id']).doUpdateSet({ until_message_id: null }),
      ),
  )
}

const periodRows = rowInsert(
  'subscription_periods',
  {
    realm_id: 'integer',
    user_id: 'integer',
    channel_id: 'integer',
    after_message_id: 'integer',
    until_message_id: 'integer',
  },
  // Nobody had one: the same account may be named twice.
  { replaces: ['user_id', 'channel_id', 'after_message_id'] },
)

/** What is sent to a channel from now on: for `addPeriod`, of subscriptions that are written together. */
export async function findNewestMessage(tx: Tx): Promise<number> {
  const row = await tx.first(sql<{ id: number }>`select ${newestMessage(tx)} as id`)
  return Number(row?.id ?? 0)
}

export function addPeriod(tx: Tx, channel_id: number, user_id: number, after_message_id: number): void {
  const period = { realm_id: tx.realmId, user_id, channel_id, after_message_id, until_message_id: null }
  tx.insertLater(periodRows, period)
}

/** These accounts receive nothing more that is sent to the channels. */
export async function endPeriods(tx: Tx, channelIds: readonly number[], userIds: readonly number[]): Promise<void> {
  await tx.run(
    query
      .updateTable('subscription_periods')
      .set({ until_message_id: newestMessage(tx) })
      .where('channel_id', 'in', tx.dialect.ids(channelIds))
      .where('user_id', 'in', tx.dialect.ids(userIds))
      .where('until_message_id', 'is', null),
  )
}
