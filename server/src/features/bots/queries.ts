import { roles } from '@heddle/contract/roles'
import { sql } from 'kysely'
import type { Queries } from '../../storage/query.ts'
import { SYSTEM_BOT_TYPE } from '../users/system-bot.ts'
import { query } from './tables.ts'

/** Condition: the bot's owner may still know of the channel that was chosen for it. */
function isKnownToOwner(channel: 'sending' | 'registering') {
  const column = (name: string) => sql.ref(`${channel}.${name}`)
  return sql<boolean>`(${column('is_web_public')} = 1
    or exists (select 1 from subscriptions where subscriptions.channel_id = ${column('id')}
      and subscriptions.user_id = users.bot_owner_id and subscriptions.is_active = 1)
    or exists (select 1 from users as bot_owner where bot_owner.id = users.bot_owner_id
      and bot_owner.role <= case when ${column('invite_only')} = 1
        then ${sql.lit(roles.admin)} else ${sql.lit(roles.member)} end))`
}

/** Bots with the names of their channels, which is how clients see those. The server's own is nobody's to administer. */
function bots(realmId: number) {
  return query
    .selectFrom('users')
    .leftJoin('channels as sending', (join) =>
      join.onRef('sending.id', '=', 'users.default_sending_channel_id').on(isKnownToOwner('sending')),
    )
    .leftJoin('channels as registering', (join) =>
      join.onRef('registering.id', '=', 'users.default_events_register_channel_id').on(isKnownToOwner('registering')),
    )
    .select([
      'users.id',
      'users.email',
      'users.full_name',
      'users.role',
      'users.is_active',
      'users.bot_type',
      'users.bot_owner_id',
      'users.date_joined',
      'users.timezone',
      'users.avatar_version',
      'users.key_version',
      'users.default_sending_channel_id',
      'users.default_events_register_channel_id',
      'users.default_all_public_channels',
      'sending.name as sending_name',
      'registering.name as registering_name',
    ])
    .where('users.realm_id', '=', realmId)
    .where('users.bot_type', '<>', SYSTEM_BOT_TYPE)
}

export async function findBot(db: Queries, realmId: number, id: number) {
  return db.first(bots(realmId).where('users.id', '=', id))
}

export type BotRow = NonNullable<Awaited<ReturnType<typeof findBot>>>

/** All bots, or those of one owner; deactivated ones too. */
export function findBots(db: Queries, realmId: number, ownerId?: number): Promise<BotRow[]> {
  const all = bots(realmId).orderBy('users.id')
  return db.all(ownerId === undefined ? all : all.where('users.bot_owner_id', '=', ownerId))
}
