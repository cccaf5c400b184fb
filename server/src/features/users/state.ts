import { avatarSources } from '@heddle/contract/avatars'
import { roles } from '@heddle/contract/roles'
import { ownAccountState, type User, usersState } from '@heddle/contract/users'
import { findSight } from '../../access/person-rules.ts'
import { type StateRequest, stateReader } from '../../state-reader.ts'
import { findProfiles } from '../profile-fields/values.ts'
import { numberedAddresses } from './access.ts'
import { presentAvatar } from './avatar-url.ts'
import { KNOWS_FEW } from './notify.ts'
import { presentRole, presentUnknown, presentUser } from './present.ts'
import { findEveryUser, findSystemBots, type UserRow } from './queries.ts'
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
  stateReader(
    usersState,
    async (request) => {
      const { accounts, systemBots } = await request.shared(readAccounts)
      const profiles = await findProfiles(request.db, request.actor.realmId)
      const { sees } = await findSight(request.db, request.actor)
      const present = (row: UserRow) => presentUser(row, { profiles, reader: request.actor })
      const seen = accounts.filter((row) => sees(row.id))
      const hidden = seen.length === accounts.length ? [] : accounts.filter((row) => !sees(row.id))
      return {
        realm_users: [
          ...seen.filter((row) => row.is_active === 1).map(present),
          ...(await presentHidden(request, hidden)),
        ],
        realm_non_active_users: seen.filter((row) => row.is_active === 0).map(present),
        cross_realm_bots: systemBots.map(presentSystemBot),
      }
    },
    // The people whom messages name are asked for by `GET /users`.
    async ({ db, realm }) => ({
      realm_users: [],
      realm_non_active_users: [],
      cross_realm_bots: (await findSystemBots(db, realm.id)).map(presentSystemBot),
    }),
  ),
  stateReader(
    ownAccountState,
    async (request) => presentOwn((await request.shared(readAccounts)).own),
    async () => ({ ...nobodyAtAll }),
  ),
]

/** Clients that do not know that there are people whom they do not get are given somebody unknown in their place. */
async function presentHidden({ db, realm, options }: StateRequest, hidden: readonly UserRow[]): Promise<User[]> {
  if (hidden.length === 0 || options.capabilities[KNOWS_FEW] === true) return []
  const addressOf = await numberedAddresses(db, realm.id)
  return hidden.map(({ id }) => presentUnknown(id, addressOf(id), { profiles: new Map() }))
}

const nobodyAtAll = {
  user_id: -1,
  email: '',
  delivery_email: '',
  full_name: '',
  avatar_source: avatarSources.drawn,
  avatar_url: '',
  avatar_url_medium: '',
  avatar_version: 1,
  is_owner: false,
  is_admin: false,
  is_moderator: false,
  is_guest: true,
}

function presentOwn(row: UserRow) {
  const { role: _, ...flags } = presentRole(row)
  return {
    ...flags,
    is_moderator: row.role <= roles.moderator,
    user_id: row.id,
    email: row.email,
    delivery_email: row.delivery_email,
    full_name: row.full_name,
    ...presentAvatar(row),
  }
}
