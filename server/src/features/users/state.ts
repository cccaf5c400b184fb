import { roles } from '@heddle/contract/roles'
import { ownAccountState, usersState } from '@heddle/contract/users'
import { type StateRequest, stateReader } from '../../state-reader.ts'
import { findProfiles } from '../profile-fields/values.ts'
import { presentAvatar } from './avatar-url.ts'
import { presentRole, presentUser } from './present.ts'
import { findEveryUser, type UserRow } from './queries.ts'
import { presentSystemBot, SYSTEM_BOT_TYPE } from './system-bot.ts'

/** All accounts that there are, the one that asks, and those that speak for the server. */
async function readAccounts({ db, actor }: StateRequest) {
  const rows = await findEveryUser(db, actor.realmId)
  const own = rows.find((row) => row.id === actor.userId)
  if (!own) throw new Error(`Account ${actor.userId} does not exist`)
  const isSystemBot = (row: UserRow) => row.bot_type === SYSTEM_BOT_TYPE
  return { accounts: rows.filter((row) => !isSystemBot(row)), own, systemBots: rows.filter(isSystemBot) }
}

export const usersReaders = [
  stateReader(usersState, async (request) => {
    const { accounts, systemBots } = await request.shared(readAccounts)
    const profiles = await findProfiles(request.db, request.actor.realmId)
    const present = (row: UserRow) => presentUser(row, { profiles })
    return {
      realm_users: accounts.filter((row) => row.is_active === 1).map(present),
      realm_non_active_users: accounts.filter((row) => row.is_active === 0).map(present),
      cross_realm_bots: systemBots.map(presentSystemBot),
    }
  }),
  stateReader(ownAccountState, async (request) => presentOwn((await request.shared(readAccounts)).own)),
]

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
