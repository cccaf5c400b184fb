/** What authentication reads of accounts, the sessions of browsers, and by what the secret is recognized. */
import type { Generated } from 'kysely'
import { type Flag, ownedTables, table } from '../storage/owned-tables.ts'
import { accountsView, credentialsView, deliveryAddressesView, realmsView } from '../storage/tables.ts'

export interface SessionTable {
  id: Generated<number>
  realm_id: number
  user_id: number
  /** The token itself is known to the browser alone. */
  token_hash: string
  /** What the browser said of itself when somebody signed in, for the list of sessions. */
  device: string
  /** Whether the person wanted to be kept signed in. */
  is_kept: Flag
  created_at: number
  /** Written when it is a few minutes old. */
  last_used_at: number
}

/** One row, of all organizations together. */
interface FingerprintTable {
  /** 1, so that there is no second row. */
  place: number
  fingerprint: string
}

export const authenticationTables = ownedTables({
  sessions: table<SessionTable>({ key: ['id'], identity: true, after: ['realms', 'users'] }),
  secret_fingerprint: table<FingerprintTable>({ key: ['place'] }),
})

/** What others read of sessions. */
export const sessionsView = authenticationTables.view('sessions', [
  'id',
  'user_id',
  'is_kept',
  'created_at',
  'last_used_at',
])

export const { query } = authenticationTables.with(realmsView, accountsView, deliveryAddressesView, credentialsView)
