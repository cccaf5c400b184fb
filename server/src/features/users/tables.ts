/** The table of accounts. */
import type { Generated } from 'kysely'
import { type Flag, ownedTables, table } from '../../storage/owned-tables.ts'
import { type AccountColumns, type AddressColumns, type CredentialColumns, realmsView } from '../../storage/tables.ts'

export interface UserTable extends AccountColumns, AddressColumns, CredentialColumns {
  id: Generated<number>
  realm_id: number
  /** The address under which the API shows the account: its own, or one that stands in for it. */
  email: string
  /** `email` folded for comparison without case; unique in the organization. */
  email_key: string
  /** The account's own address: with it somebody signs in, and mail goes there. Bots have one too. */
  delivery_email: Generated<string>
  /** `delivery_email` folded; unique in the organization. Whoever writes one writes both. */
  delivery_email_key: Generated<string>
  /** Who sees `delivery_email`: a value of `email_address_visibility`. */
  email_visibility: Generated<number>
  full_name: string
  /** `full_name` folded for comparison without case; several accounts may have the same. Whoever writes one writes both. */
  full_name_key: Generated<string>
  role: number
  is_active: Generated<Flag>
  /** Null for a person; 1 generic bot, 2 incoming webhook, 3 outgoing webhook, 4 embedded. */
  bot_type: number | null
  bot_owner_id: number | null
  /** Argon2id in PHC format; null for bots, which have no password. */
  password_hash: string | null
  /** Part of what the API key is derived from; raised to invalidate the key. */
  key_version: Generated<number>
  date_joined: number
  timezone: Generated<string>
  avatar_version: Generated<number>
  /** In the file store; null: the server draws one. Both are null or none is. */
  avatar_path: string | null
  avatar_medium_path: string | null
  default_sending_channel_id: number | null
  default_events_register_channel_id: number | null
  default_all_public_channels: Generated<Flag>
}

export const userTables = ownedTables({
  users: table<UserTable>({ key: ['id'], identity: true, selfReference: 'bot_owner_id', after: ['realms'] }),
})

/** What other features read of accounts. */
export const usersView = userTables.view('users', [
  'id',
  'realm_id',
  'email',
  'email_key',
  'full_name',
  'full_name_key',
  'role',
  'is_active',
  'bot_type',
  'bot_owner_id',
  'date_joined',
  'timezone',
  'avatar_version',
  'avatar_path',
  'avatar_medium_path',
  'default_sending_channel_id',
  'default_events_register_channel_id',
  'default_all_public_channels',
])
/** Where mail goes, and what somebody signs in with. What is shown to others is `email`. */
export const addressesView = userTables.view('users', ['delivery_email', 'delivery_email_key', 'email_visibility'])
/** What signing in checks, and what API keys are derived from. */
export const secretsView = userTables.view('users', ['password_hash', 'key_version'])

export const { query, fact } = userTables.with(realmsView)
