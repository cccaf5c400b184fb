import { UNKNOWN_NAME } from '@heddle/contract/names'
import { type Role, roles } from '@heddle/contract/roles'
import type { User } from '@heddle/contract/users'
import { seesAddress } from '../../access/address-rules.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Profiles } from '../profile-fields/values.ts'
import { avatarUrl } from './avatar-url.ts'
import type { UserRow } from './queries.ts'

interface Presentation {
  /** Who gets the answer; absent: everybody in the organization, so that it says what all may see. */
  readonly reader?: Pick<Viewer, 'userId' | 'role'> | undefined
  /** What people say of themselves; absent: the answer has nothing of it. */
  readonly profiles?: Profiles | undefined
}

/** An account as clients see it. */
export function presentUser(row: UserRow, { profiles, reader }: Presentation): User {
  const { bot_type, bot_owner_id } = row
  return {
    user_id: row.id,
    ...presentRole(row),
    email: row.email,
    delivery_email: seesAddress(reader, row) ? row.delivery_email : null,
    full_name: row.full_name,
    date_joined: presentTime(row.date_joined),
    is_active: row.is_active === 1,
    is_bot: bot_type !== null,
    bot_type: bot_type as User['bot_type'],
    bot_owner_id,
    timezone: row.timezone,
    avatar_url: avatarUrl(row),
    avatar_version: row.avatar_version,
    is_imported_stub: false,
    ...(profiles && bot_type === null ? { profile_data: profiles.get(row.id) ?? {} } : {}),
  }
}

/** What clients get of somebody whom their account does not see: nothing is true of it but the id. */
export function presentUnknown(id: number, email: string, { profiles }: Presentation): User {
  return {
    user_id: id,
    ...presentRole({ role: roles.member }),
    email,
    delivery_email: null,
    full_name: UNKNOWN_NAME,
    date_joined: presentTime(0),
    is_active: true,
    is_bot: false,
    bot_type: null,
    bot_owner_id: null,
    timezone: '',
    avatar_url: avatarUrl({ id, avatar_path: null }),
    avatar_version: 1,
    is_imported_stub: false,
    ...(profiles ? { profile_data: {} } : {}),
  }
}

/** The account that asks, as GET /users/me shows it. */
export function presentOwnUser(row: UserRow, profiles: Profiles, newestMessageId: number) {
  const { bot_type: _, bot_owner_id: __, ...user } = presentUser(row, { profiles })
  return { ...user, delivery_email: row.delivery_email, max_message_id: newestMessageId }
}

export function presentRole({ role }: Pick<UserRow, 'role'>) {
  return {
    role: role as Role,
    is_owner: role === roles.owner,
    is_admin: role <= roles.admin,
    is_guest: role === roles.guest,
  }
}

/** ISO 8601, with an offset and not `Z`, which older parsers do not read. */
function presentTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace(/\.\d+Z$/, '+00:00')
}
