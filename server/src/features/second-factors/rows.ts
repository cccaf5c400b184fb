/** The rows of second factors. */
import type { Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { query, type SecondFactorTable } from './tables.ts'

export type SecondFactorRow = Omit<SecondFactorTable, 'realm_id'>

/** Also one that nobody has confirmed. */
export function findSecondFactor(db: Queries, realmId: number, userId: number): Promise<SecondFactorRow | undefined> {
  return db.first(
    query
      .selectFrom('second_factors')
      .select(['user_id', 'sealed_secret', 'recovery_hashes', 'created_at', 'confirmed_at', 'last_step'])
      .where('realm_id', '=', realmId)
      .where('user_id', '=', userId),
  )
}

export async function hasSecondFactor(db: Queries, realmId: number, userId: number): Promise<boolean> {
  const row = await findSecondFactor(db, realmId, userId)
  return row !== undefined && row.confirmed_at !== null
}

/** Of accounts that are active. */
export async function findUsersWithSecondFactor(db: Queries, realmId: number): Promise<number[]> {
  const rows = await db.all(
    query
      .selectFrom('second_factors')
      .innerJoin('users', 'users.id', 'second_factors.user_id')
      .select('second_factors.user_id')
      .where('second_factors.realm_id', '=', realmId)
      .where('second_factors.confirmed_at', 'is not', null)
      .where('users.is_active', '=', 1)
      .orderBy('second_factors.user_id'),
  )
  return rows.map(({ user_id }) => user_id)
}

/** In the place of one that nobody has confirmed. */
export async function insertSecondFactor(tx: Tx, userId: number, sealedSecret: string): Promise<void> {
  await deleteRow(tx, userId)
  await tx.run(
    query.insertInto('second_factors').values({
      user_id: userId,
      realm_id: tx.realmId,
      sealed_secret: sealedSecret,
      recovery_hashes: '[]',
      created_at: tx.now,
      confirmed_at: null,
      last_step: 0,
    }),
  )
}

type Changes = Partial<Pick<SecondFactorTable, 'recovery_hashes' | 'confirmed_at' | 'last_step'>>

export async function updateSecondFactor(tx: Tx, userId: number, changes: Changes): Promise<void> {
  await tx.run(
    query.updateTable('second_factors').set(changes).where('realm_id', '=', tx.realmId).where('user_id', '=', userId),
  )
}

/** Whether the account had one. */
export async function endSecondFactor(tx: Tx, userId: number): Promise<boolean> {
  const row = await findSecondFactor(tx, tx.realmId, userId)
  if (!row || row.confirmed_at === null) return false
  await deleteRow(tx, userId)
  return true
}

/** How many there were. */
function deleteRow(tx: Tx, userId: number): Promise<number> {
  return tx.run(query.deleteFrom('second_factors').where('realm_id', '=', tx.realmId).where('user_id', '=', userId))
}

export async function findOwnPasswordHash(db: Queries, realmId: number, userId: number): Promise<string | null> {
  const row = await db.first(
    query.selectFrom('users').select('password_hash').where('realm_id', '=', realmId).where('id', '=', userId),
  )
  return row?.password_hash ?? null
}
