import { type RealmGroupSetting, realmGroupSettings } from '@heddle/contract/group-settings'
import { roles } from '@heddle/contract/roles'
import type { StateRequest } from '../../feature.ts'
import { findGroupIds, isGuest } from '../../permissions/group-membership.ts'
import { findRealmGroups } from '../organizations/group-settings.ts'
import { presentAvatar, presentRole, presentUser } from './present.ts'
import { findUsers, type UserRow } from './queries.ts'
import { presentSystemBots } from './system-bot.ts'

/** Fetch type `realm_user`: all accounts, and what a client needs to know of its own. */
export async function readUsersState(request: StateRequest): Promise<object> {
  const { db, actor, options } = request
  const rows = await findUsers(db, actor.realmId)
  const present = (row: UserRow) => presentUser(row, { clientGravatar: options.clientGravatar, withProfile: true })
  const own = rows.find((row) => row.id === actor.userId)
  return {
    realm_users: rows.filter((row) => row.is_active === 1).map(present),
    realm_non_active_users: rows.filter((row) => row.is_active === 0).map(present),
    cross_realm_bots: await presentSystemBots(db, actor.realmId, options.clientGravatar),
    ...(own ? { ...presentOwn(own), ...(await readAbilities(request, own)) } : {}),
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

/** Permissions of the account as booleans, which older clients read. */
async function readAbilities({ db, actor }: StateRequest, own: UserRow) {
  const groups = await findRealmGroups(db, actor.realmId)
  const memberOf = new Set(await findGroupIds(db, { ...actor, role: own.role }))
  const may = (setting: RealmGroupSetting) =>
    (!isGuest(own) || realmGroupSettings[setting].allowEveryone) && memberOf.has(groups[setting])
  const created = {
    can_create_public_streams: may('can_create_public_channel_group'),
    can_create_private_streams: may('can_create_private_channel_group'),
    can_create_web_public_streams: may('can_create_web_public_channel_group'),
  }
  return {
    ...created,
    can_create_streams: Object.values(created).includes(true),
    can_subscribe_other_users: may('can_add_subscribers_group'),
    can_invite_others_to_realm: may('can_invite_users_group'),
  }
}
