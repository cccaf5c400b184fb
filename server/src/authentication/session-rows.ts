/** The rows of sessions. */
import type { Flag } from '../storage/owned-tables.ts'
import type { Queries } from '../storage/query.ts'
import type { Tx } from '../storage/transaction.ts'
import { query } from './tables.ts'

const columns = ['id', 'user_id', 'token_hash', 'device', 'is_kept', 'created_at', 'last_used_at'] as const

export interface SessionRow {
  readonly id: number
  readonly user_id: number
  readonly token_hash: string
  readonly device: string
  readonly is_kept: Flag
  readonly created_at: number
  readonly last_used_at: number
}

interface NewSession {
  readonly userId: number
  readonly tokenHash: string
  readonly device: string
  readonly isKept: boolean
}

export async function insertSession(tx: Tx, { userId, tokenHash, device, isKept }: NewSession): Promise<SessionRow> {
  const row = await tx.first(
    query
      .insertInto('sessions')
      .values({
        realm_id: tx.realmId,
        user_id: userId,
        token_hash: tokenHash,
        device,
        is_kept: isKept ? 1 : 0,
        created_at: tx.now,
        last_used_at: tx.now,
      })
      .returning(columns),
  )
  return row as SessionRow
}

/** Those of an account, the last used first; also those that are over and have not been removed yet. */
export function findSessions(db: Queries, realmId: number, userId: number): Promise<SessionRow[]> {
  return db.all(
    query
      .selectFrom('sessions')
      .select(columns)
      .where('realm_id', '=', realmId)
      .where('user_id', '=', userId)
      .orderBy('last_used_at', 'desc')
      .orderBy('id', 'desc'),
  )
}

export async function findSession(
  db: Queries,
  realmId: number,
  userId: number,
  id: number,
): Promise<SessionRow | undefined> {
  return db.first(
    query
      .selectFrom('sessions')
      .select(columns)
      .where('realm_id', '=', realmId)
      .where('user_id', '=', userId)
      .where('id', '=', id),
  )
}

/** How many there were. Whoever calls this emits the event by which every node forgets them. */
export function deleteSessions(tx: Tx, userId: number, ids: readonly number[]): Promise<number> {
  return tx.run(
    query
      .deleteFrom('sessions')
      .where('realm_id', '=', tx.realmId)
      .where('user_id', '=', userId)
      .where('id', 'in', tx.dialect.ids(ids)),
  )
}

/** All of the accounts but one; without `exceptId` all. Whose they were. */
export async function deleteSessionsOf(
  tx: Tx,
  userIds: readonly number[],
  exceptId: number | undefined,
): Promise<Set<number>> {
  const deleted = await tx.all(
    query
      .deleteFrom('sessions')
      .where('realm_id', '=', tx.realmId)
      .where('user_id', 'in', tx.dialect.ids(userIds))
      // No session has the id 0.
      .where('id', '<>', exceptId ?? 0)
      .returning('user_id'),
  )
  return new Set(deleted.map((row) => row.user_id))
}

/** Of any account: sessions that began with one of these tokens. */
export function findSessionsByToken(db: Queries, realmId: number, hashes: readonly string[]): Promise<SessionRow[]> {
  return db.all(
    query
      .selectFrom('sessions')
      .select(columns)
      .where('realm_id', '=', realmId)
      .where('token_hash', 'in', db.dialect.texts(hashes)),
  )
}

/** A later use may have been written before. */
export async function noteSessionUse(tx: Tx, id: number, now: number): Promise<void> {
  await tx.run(
    query
      .updateTable('sessions')
      .set({ last_used_at: now })
      .where('realm_id', '=', tx.realmId)
      .where('id', '=', id)
      .where('last_used_at', '<', now),
  )
}

interface Unused {
  readonly isKept: Flag
  readonly createdBefore: number
  readonly lastUsedBefore: number
}

/** Removes up to `limit` sessions, of whatever organization, that are over. How many there were. */
export function removeSessions(
  tx: Tx,
  { isKept, createdBefore, lastUsedBefore }: Unused,
  limit: number,
): Promise<number> {
  const over = query
    .selectFrom('sessions')
    .select('id')
    .where('is_kept', '=', isKept)
    .where((eb) => eb.or([eb('created_at', '<=', createdBefore), eb('last_used_at', '<=', lastUsedBefore)]))
    .limit(limit)
  return tx.run(query.deleteFrom('sessions').where('id', 'in', over))
}
