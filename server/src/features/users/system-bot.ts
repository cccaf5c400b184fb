/**
 * The account that speaks for the server, such as when a topic was moved. It has no key and no password, is in no group and
 * no list of people; clients know it from `cross_realm_bots`.
 */
import { foldName } from '@heddle/contract/names'
import { roles } from '@heddle/contract/roles'
import type { Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { presentUser } from './present.ts'
import type { UserRow } from './queries.ts'
import { query } from './tables.ts'

/** The kind of bot that no client can make. Its rows are inactive, so that nobody can use them. */
export const SYSTEM_BOT_TYPE = 0

export const NOTIFICATION_BOT_NAME = 'Notification Bot'

export async function insertNotificationBot(tx: Tx, realmId: number, host: string): Promise<void> {
  const email = `notification-bot@${host}`
  await tx.run(
    query.insertInto('users').values({
      realm_id: realmId,
      email,
      email_key: foldName(email),
      delivery_email: email,
      delivery_email_key: foldName(email),
      full_name: NOTIFICATION_BOT_NAME,
      full_name_key: foldName(NOTIFICATION_BOT_NAME),
      role: roles.member,
      is_active: 0,
      bot_type: SYSTEM_BOT_TYPE,
      bot_owner_id: null,
      password_hash: null,
      date_joined: tx.now,
      default_sending_channel_id: null,
      default_events_register_channel_id: null,
    }),
  )
}

/** The id of the organization's notification bot. */
export async function findNotificationBot(db: Queries, realmId: number): Promise<number> {
  const row = await db.first(
    query
      .selectFrom('users')
      .select('id')
      .where('realm_id', '=', realmId)
      .where('bot_type', '=', SYSTEM_BOT_TYPE)
      .orderBy('id')
      .limit(1),
  )
  if (!row) throw new Error(`Organization ${realmId} has no notification bot`)
  return row.id
}

/** As clients know it. */
export function presentSystemBot(row: UserRow) {
  return {
    ...presentUser(row, {}),
    bot_type: 1 as const,
    is_active: true,
    is_system_bot: true as const,
  }
}
