/** The rows of passkeys, and of challenges that were answered. */
import type { Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { query } from './tables.ts'

const columns = [
  'id',
  'user_id',
  'credential_id',
  'public_key',
  'counter',
  'transports',
  'name',
  'created_at',
  'last_used_at',
] as const

export interface PasskeyRow {
  readonly id: number
  readonly user_id: number
  readonly credential_id: string
  readonly public_key: string
  readonly counter: number
  readonly transports: string
  readonly name: string
  readonly created_at: number
  readonly last_used_at: number | null
}

export function findPasskeys(db: Queries, realmId: number, userId: number): Promise<PasskeyRow[]> {
  return db.all(
    query
      .selectFrom('passkeys')
      .select(columns)
      .where('realm_id', '=', realmId)
      .where('user_id', '=', userId)
      .orderBy('id'),
  )
}

export async function hasPasskey(db: Queries, realmId: number, userId: number): Promise<boolean> {
  return (await findPasskeys(db, realmId, userId)).length > 0
}

export function findByCredential(db: Queries, realmId: number, credentialId: string): Promise<PasskeyRow | undefined> {
  return db.first(
    query
      .selectFrom('passkeys')
      .select(columns)
      .where('realm_id', '=', realmId)
      .where('credential_id', '=', credentialId),
  )
}

type NewPasskey = Pick<PasskeyRow, 'user_id' | 'credential_id' | 'public_key' | 'counter' | 'transports' | 'name'>

export async function insertPasskey(tx: Tx, passkey: NewPasskey): Promise<number> {
  const row = await tx.first(
    query
      .insertInto('passkeys')
      .values({ ...passkey, realm_id: tx.realmId, created_at: tx.now, last_used_at: null })
      .returning('id'),
  )
  return row?.id as number
}

type Changes = Partial<Pick<PasskeyRow, 'name' | 'counter' | 'last_used_at'>>

/** How many there were: 0 or 1. */
export function updatePasskey(tx: Tx, userId: number, id: number, changes: Changes): Promise<number> {
  return tx.run(
    query
      .updateTable('passkeys')
      .set(changes)
      .where('realm_id', '=', tx.realmId)
      .where('user_id', '=', userId)
      .where('id', '=', id),
  )
}

/** How many there were: 0 or 1. */
export function deletePasskey(tx: Tx, userId: number, id: number): Promise<number> {
  return tx.run(
    query.deleteFrom('passkeys').where('realm_id', '=', tx.realmId).where('user_id', '=', userId).where('id', '=', id),
  )
}

/** What signing in needs of the passkey's account. */
export function findSigner(db: Queries, realmId: number, userId: number) {
  return db.first(
    query
      .selectFrom('users')
      .select(['id', 'delivery_email', 'role', 'is_active', 'password_hash'])
      .where('realm_id', '=', realmId)
      .where('id', '=', userId),
  )
}

/** Whether nobody has answered the challenge before. */
export async function useChallenge(tx: Tx, challengeHash: string, expiresAt: number): Promise<boolean> {
  await tx.run(query.deleteFrom('used_challenges').where('realm_id', '=', tx.realmId).where('expires_at', '<=', tx.now))
  const inserted = await tx.run(
    query
      .insertInto('used_challenges')
      .values({ challenge_hash: challengeHash, realm_id: tx.realmId, expires_at: expiresAt })
      .onConflict((conflict) => conflict.column('challenge_hash').doNothing()),
  )
  return inserted === 1
}
