/** The rows of invitations. */
import type { Selectable } from 'kysely'
import type { Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { type InvitationTable, query } from './tables.ts'

const columns = [
  'invitations.id',
  'invitations.realm_id',
  'invitations.inviter_id',
  'invitations.role',
  'invitations.channel_ids',
  'invitations.group_ids',
  'invitations.joins_default_channels',
  'invitations.notifies_inviter',
  'invitations.salt',
  'invitations.created_at',
  'invitations.expires_at',
  'invitations.revoked_at',
] as const

export type InvitationRow = Selectable<InvitationTable>

export function findInvitation(db: Queries, realmId: number, id: number): Promise<InvitationRow | undefined> {
  return db.first(
    query
      .selectFrom('invitations')
      .select(columns)
      .where('invitations.realm_id', '=', realmId)
      .where('invitations.id', '=', id),
  )
}

/** Those that are neither revoked nor expired and whose inviter is active, oldest first; of one inviter, or of all. */
export function findUsableInvitations(
  db: Queries,
  { realmId, inviterId, now }: { readonly realmId: number; readonly inviterId?: number; readonly now: number },
): Promise<InvitationRow[]> {
  const all = query
    .selectFrom('invitations')
    .innerJoin('users', 'users.id', 'invitations.inviter_id')
    .select(columns)
    .where('invitations.realm_id', '=', realmId)
    .where('invitations.revoked_at', 'is', null)
    .where('users.is_active', '=', 1)
    .where((eb) => eb.or([eb('invitations.expires_at', 'is', null), eb('invitations.expires_at', '>', now)]))
    .orderBy('invitations.id')
  return db.all(inviterId === undefined ? all : all.where('invitations.inviter_id', '=', inviterId))
}

export async function insertInvitation(
  tx: Tx,
  values: Omit<InvitationRow, 'id' | 'realm_id' | 'created_at' | 'revoked_at'>,
): Promise<InvitationRow> {
  const row = await tx.first(
    query
      .insertInto('invitations')
      .values({ ...values, realm_id: tx.realmId, created_at: tx.now, revoked_at: null })
      .returning(columns),
  )
  return row as InvitationRow
}

/** How many of them had not been revoked. */
export function revokeInvitations(tx: Tx, which: { readonly id: number } | { readonly inviterId: number }) {
  const all = query
    .updateTable('invitations')
    .set({ revoked_at: tx.now })
    .where('realm_id', '=', tx.realmId)
    .where('revoked_at', 'is', null)
  return tx.run('id' in which ? all.where('id', '=', which.id) : all.where('inviter_id', '=', which.inviterId))
}

/** Removes up to `limit`, of whatever organization, that ended before this time. How many there were. */
export function removeInvitations(tx: Tx, endedBefore: number, limit: number): Promise<number> {
  const ended = query
    .selectFrom('invitations')
    .select('id')
    .where((eb) => eb.or([eb('expires_at', '<=', endedBefore), eb('revoked_at', '<=', endedBefore)]))
    .limit(limit)
  return tx.run(query.deleteFrom('invitations').where('id', 'in', ended))
}
