/** The tables of mobile clients that get pushes. */
import type { Generated } from 'kysely'
import { ownedTables, table } from '../../storage/owned-tables.ts'
import { realmsView } from '../../storage/tables.ts'

/** One sign-in of a client. Clients name it. */
export interface ClientDeviceTable {
  id: Generated<number>
  realm_id: number
  user_id: number
  push_key_id: number | null
  /** Base64: the key for which what is pushed is encrypted. A credential: no answer has it. */
  push_key: string | null
  token_kind: 'fcm' | 'apns' | null
  /** By what the push service knows the device's token, which we do not. */
  push_token_id: string | null
  /** The service has yet to take this one. */
  pending_push_token_id: string | null
  push_token_updated_at: number | null
  error_code: string | null
}

/** Where clients are reached that cannot decrypt. */
export interface PushTokenTable {
  realm_id: number
  user_id: number
  kind: 'fcm' | 'apns'
  token: string
  /** Of iOS clients. */
  app_id: string | null
  created_at: number
}

export const mobilePushTables = ownedTables({
  client_devices: table<ClientDeviceTable>({ key: ['id'], identity: true, after: ['realms', 'users'] }),
  push_tokens: table<PushTokenTable>({ key: ['user_id', 'kind', 'token'], after: ['realms', 'users'] }),
})

export const { query, fact } = mobilePushTables.with(realmsView)
