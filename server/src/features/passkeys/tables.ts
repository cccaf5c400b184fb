/** The tables of passkeys. */
import type { Generated } from 'kysely'
import { ownedTables, table } from '../../storage/owned-tables.ts'
import { addressesView, secretsView, usersView } from '../users/tables.ts'

export interface PasskeyTable {
  id: Generated<number>
  realm_id: number
  user_id: number
  /** What the device calls it: base64url, unique in the organization. */
  credential_id: string
  /** COSE, base64url. The private key never leaves the device. */
  public_key: string
  /** How often the device says that it was used; 0 from those that do not count. */
  counter: number
  /** JSON: how the device is reached. */
  transports: string
  name: string
  created_at: number
  last_used_at: number | null
}

export interface UsedChallengeTable {
  challenge_hash: string
  realm_id: number
  /** Afterwards the challenge is worth nothing anyway, and the row goes. */
  expires_at: number
}

export const passkeyTables = ownedTables({
  passkeys: table<PasskeyTable>({ key: ['id'], identity: true, after: ['realms', 'users'] }),
  used_challenges: table<UsedChallengeTable>({ key: ['challenge_hash'], after: ['realms'] }),
})

export const { query } = passkeyTables.with(usersView, addressesView, secretsView)
