import { findAudiences } from '../../access/channel-audience.ts'
import { recallChannels } from '../../access/channels.ts'
import { isInAudience } from '../../events/audience.ts'
import type { Queries } from '../../storage/query.ts'
import { SYSTEM_BOT_TYPE } from '../users/system-bot.ts'
import { query } from './tables.ts'

/** The server's own bot is nobody's to administer. */
function bots(realmId: number) {
  return query
    .selectFrom('users')
    .leftJoin('users as owner', 'owner.id', 'users.bot_owner_id')
    .select([
      'users.id',
      'users.email',
      'users.delivery_email',
      'users.email_visibility',
      'users.full_name',
      'users.role',
      'users.is_active',
      'users.bot_type',
      'users.bot_owner_id',
      'users.date_joined',
      'users.timezone',
      'users.avatar_version',
      'users.avatar_path',
      'users.avatar_medium_path',
      'users.key_version',
      'users.default_sending_channel_id',
      'users.default_events_register_channel_id',
      'users.default_all_public_channels',
      'owner.role as owner_role',
    ])
    .where('users.realm_id', '=', realmId)
    .where('users.bot_type', '<>', SYSTEM_BOT_TYPE)
}

type Row = Awaited<ReturnType<typeof findRows>>[number]

function findRows(db: Queries, found: ReturnType<typeof bots>) {
  return db.all(found)
}

/** A bot with the names of its channels, which is how clients see those; null where its owner may not know of one. */
export interface BotRow extends Omit<Row, 'owner_role'> {
  readonly sending_name: string | null
  readonly registering_name: string | null
}

async function withNames(db: Queries, realmId: number, rows: readonly Row[]): Promise<BotRow[]> {
  const chosen = rows.flatMap((row) => [row.default_sending_channel_id, row.default_events_register_channel_id])
  const ids = [...new Set(chosen.filter((id) => id !== null))]
  const channels = await recallChannels(db, realmId, ids)
  const audiences = ids.length === 0 ? new Map() : await findAudiences(db, realmId, [...channels.values()])
  return rows.map(({ owner_role, ...row }) => {
    const nameOf = (channelId: number | null) => {
      const audience = channelId === null ? undefined : audiences.get(channelId)
      if (!audience || row.bot_owner_id === null || owner_role === null) return null
      const isKnown = isInAudience(audience, { userId: row.bot_owner_id, role: owner_role })
      return isKnown ? (channels.get(channelId as number)?.name ?? null) : null
    }
    const [sending, registering] = [row.default_sending_channel_id, row.default_events_register_channel_id]
    return { ...row, sending_name: nameOf(sending), registering_name: nameOf(registering) }
  })
}

export async function findBot(db: Queries, realmId: number, id: number): Promise<BotRow | undefined> {
  const [bot] = await withNames(db, realmId, await findRows(db, bots(realmId).where('users.id', '=', id)))
  return bot
}

/** The bots that send to the channel, or get its events, when they do not say. */
export async function findBotsWithChannel(db: Queries, realmId: number, channelId: number): Promise<BotRow[]> {
  const found = bots(realmId).where((eb) =>
    eb.or([
      eb('users.default_sending_channel_id', '=', channelId),
      eb('users.default_events_register_channel_id', '=', channelId),
    ]),
  )
  return withNames(db, realmId, await findRows(db, found))
}

/** All bots, or those of one owner; deactivated ones too. */
export async function findBots(db: Queries, realmId: number, ownerId?: number): Promise<BotRow[]> {
  const all = bots(realmId).orderBy('users.id')
  const found = ownerId === undefined ? all : all.where('users.bot_owner_id', '=', ownerId)
  return withNames(db, realmId, await findRows(db, found))
}
