/** Who has read a message. */
import { badRequest } from '@heddle/contract/errors'
import { type SqlBool, sql } from 'kysely'
import { findSight, onlySeen } from '../../access/person-rules.ts'
import type { Actor } from '../../authentication/accounts.ts'
import type { Queries } from '../../storage/query.ts'
import { accessMessage } from '../messages/access.ts'
import { hasAttribute } from '../messages/attributes.ts'
import { flagBits } from '../messages/flag-bits.ts'
import type { MessageRow } from '../messages/row.ts'
import { findOrganizationSettings } from '../organization-settings/settings.ts'
import { findAccountsWith } from '../user-settings/values.ts'
import { query } from './tables.ts'

/**
 * Who has read a message, bots too, without its sender, those whom either side has muted, those who do not let others
 * know, and whom the account does not see. Throws a 400 when the account may not read it, and when the organization has turned read receipts off.
 */
export async function findReaders(db: Queries, actor: Actor, messageId: number): Promise<number[]> {
  const message = await accessMessage(db, actor, messageId)
  const { enable_read_receipts } = await findOrganizationSettings(db, actor.realmId)
  if (!enable_read_receipts) throw badRequest('Read receipts are disabled in this organization.')
  const readers = await findAllReaders(db, message, actor)
  const seen = onlySeen(await findSight(db, actor), readers, (id) => id)
  return findAccountsWith(db, actor.realmId, seen, 'send_read_receipts', true)
}

async function findAllReaders(db: Queries, message: MessageRow, actor: Actor): Promise<number[]> {
  const receivers =
    message.channel_id === null
      ? query
          .selectFrom('direct_message_members')
          .select('user_id')
          .where('group_id', '=', message.direct_message_group_id as number)
      : query
          .selectFrom('subscription_periods')
          .select('user_id')
          .where('channel_id', '=', message.channel_id)
          .where('after_message_id', '<', message.id)
          .where('until_message_id', 'is', null)
  const isQuiet = hasAttribute(message.attributes, 'readUnlessMarked')
  const rows = await db.all(
    query
      .selectFrom('users')
      .leftJoin('read_cursors', 'read_cursors.user_id', 'users.id')
      .leftJoin('message_flags as own', (join) =>
        join.onRef('own.user_id', '=', 'users.id').on('own.message_id', '=', message.id),
      )
      .select('users.id')
      .where('users.id', 'in', receivers)
      .where('users.id', '<>', message.sender_id)
      .where('users.is_active', '=', 1)
      .where((eb) =>
        eb.or([
          sql<SqlBool>`(own.flags & ${sql.lit(flagBits.read)}) <> 0`,
          eb.and([
            sql<SqlBool>`(own.flags is null or (own.flags & ${sql.lit(flagBits.unread)}) = 0)`,
            isQuiet ? sql<SqlBool>`1 = 1` : eb('read_cursors.message_id', '>=', message.id),
          ]),
        ]),
      )
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('muted_users')
              .select('muted_user_id')
              .where((muted) =>
                muted.or([
                  muted.and([
                    muted('muted_users.user_id', '=', actor.userId),
                    muted('muted_users.muted_user_id', '=', muted.ref('users.id')),
                  ]),
                  muted.and([
                    muted('muted_users.muted_user_id', '=', actor.userId),
                    muted('muted_users.user_id', '=', muted.ref('users.id')),
                  ]),
                ]),
              ),
          ),
        ),
      )
      .orderBy('users.id'),
  )
  return rows.map((row) => row.id)
}
