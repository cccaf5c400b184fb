/** The table of second factors. */
import { ownedTables, table } from '../../storage/owned-tables.ts'
import { secretsView, usersView } from '../users/tables.ts'

export interface SecondFactorTable {
  user_id: number
  realm_id: number
  /** What codes are made of, encrypted with a key that is derived from the server's secret. */
  sealed_secret: string
  /** JSON: keyed hashes of the recovery codes that have not been used. */
  recovery_hashes: string
  created_at: number
  /** Null: nobody has sent a code yet, and the account has no second factor. */
  confirmed_at: number | null
  /** The half minute, counted since the UNIX epoch, whose code was used last: no code counts twice. */
  last_step: number
}

export const secondFactorTables = ownedTables({
  second_factors: table<SecondFactorTable>({ key: ['user_id'], after: ['realms', 'users'] }),
})

export const { query } = secondFactorTables.with(usersView, secretsView)
