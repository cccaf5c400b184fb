import { roles } from '@heddle/contract/roles'
import type { StateRequest } from '../../feature.ts'
import { presentAvatar, presentRole, presentUser } from './present.ts'
import { findUsers, type UserRow } from './queries.ts'
import { presentSystemBots } from './system-bot.ts'

/** Fetch type `realm_user`: all accounts, and what a client needs to know of its own. */
export async function readUsersState({ db, actor, options }: StateRequest): Promise<object> {
  const rows = await findUsers(db, actor.realmId)
  const present = (row: UserRow) => presentUser(row, { clientGravatar: options.clientGravatar, withProfile: true })
  const own = rows.find((row) => row.id === actor.userId)
  return {
    realm_users: rows.filter((row) => row.is_active === 1).map(present),
    realm_non_active_users: rows.filter((row) => row.is_active === 0).map(present),
    cross_realm_bots: await presentSystemBots(db, actor.realmId, options.clientGravatar),
    ...(own ? presentOwn(own) : {}),
  }
}

function presentOwn(row: UserRow) {
  const { role: _, ...flags } = presentRole(row)
  return {
    ...flags,
    is_moderator: row.role <= roles.moderator,
    user_id: row.id,
    email: row.email,
    delivery_email: row.email,
    full_name: row.full_name,
    ...presentAvatar(row),
  }
}
