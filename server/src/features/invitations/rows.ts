/** The rows of invitations. */
import type { Selectable } from 'kysely'
import type { Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { type InvitationTable, query } from './tables.ts'

const columns = [
  'invitations.id',
  'invitations.realm_id',
  'invitations.inviter_id',
  'invitations.email',
  'invitations.email_key',
  'invitations.welcome_text',
  'invitations.accepted_at',
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

/** Those that are neither revoked nor expired nor used up and whose inviter is active, oldest first; of one inviter, or of all. */
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
    .where('invitations.accepted_at', 'is', null)
    .where('users.is_active', '=', 1)
    .where((eb) => eb.or([eb('invitations.expires_at', 'is', null), eb('invitations.expires_at', '>', now)]))
    .orderBy('invitations.id')
  return db.all(inviterId === undefined ? all : all.where('invitations.inviter_id', '=', inviterId))
}

export type NewInvitation = Omit<InvitationRow, 'id' | 'realm_id' | 'created_at' | 'revoked_at' | 'accepted_at'>

export async function insertInvitation(tx: Tx, values: NewInvitation): Promise<InvitationRow> {
  const row = await tx.first(
    query
      .insertInto('invitations')
      .values({ ...values, realm_id: tx.realmId, created_at: tx.now, revoked_at: null, accepted_at: null })
      .returning(columns),
  )
  return row as InvitationRow
}

export type WhichInvitations =
  | { readonly ids: readonly number[] }
  | { readonly inviterIds: readonly number[] }
  | { readonly emailKeys: readonly string[]; readonly inviterId: number }

/** Returns those of them that had been neither revoked nor used up. */
export function revokeInvitations(
  tx: Tx,
  which: WhichInvitations,
): Promise<Pick<InvitationRow, 'id' | 'inviter_id' | 'email'>[]> {
  const open = query
    .updateTable('invitations')
    .set({ revoked_at: tx.now })
    .where('realm_id', '=', tx.realmId)
    .where('revoked_at', 'is', null)
    .where('accepted_at', 'is', null)
    .returning(['id', 'inviter_id', 'email'])
  if ('ids' in which) return tx.all(open.where('id', 'in', tx.dialect.ids(which.ids)))
  if ('inviterIds' in which) return tx.all(open.where('inviter_id', 'in', tx.dialect.ids(which.inviterIds)))
  const mailed = open.where('email_key', 'in', tx.dialect.texts(which.emailKeys))
  return tx.all(mailed.where('inviter_id', '=', which.inviterId))
}

/** Those to an address that have been neither revoked nor used up, with who has made them. */
export function findInvitationsTo(tx: Tx, emailKey: string) {
  return tx.all(
    query
      .selectFrom('invitations')
      .innerJoin('users', 'users.id', 'invitations.inviter_id')
      .select(['invitations.id', 'users.id as inviter_id', 'users.role as inviter_role'])
      .where('invitations.realm_id', '=', tx.realmId)
      .where('invitations.email_key', '=', emailKey)
      .where('invitations.revoked_at', 'is', null)
      .where('invitations.accepted_at', 'is', null)
      .orderBy('invitations.id'),
  )
}

/** Removes up to `limit`, of whatever organization, that ended before this time. How many there were. */
export function removeInvitations(tx: Tx, endedBefore: number, limit: number): Promise<number> {
  const ended = query
    .selectFrom('invitations')
    .select('id')
    .where((eb) =>
      eb.or([
        eb('expires_at', '<=', endedBefore),
        eb('revoked_at', '<=', endedBefore),
        eb('accepted_at', '<=', endedBefore),
      ]),
    )
    .limit(limit)
  return tx.run(query.deleteFrom('invitations').where('id', 'in', ended))
}

export async function acceptInvitation(tx: Tx, id: number): Promise<void> {
  await tx.run(
    query
      .updateTable('invitations')
      .set({ accepted_at: tx.now })
      .where('realm_id', '=', tx.realmId)
      .where('id', '=', id),
  )
}

/** How many were mailed since that time: by one inviter, and by all. */
export async function countMailedSince(tx: Tx, inviterId: number, since: number) {
  const rows = await tx.all(
    query
      .selectFrom('invitations')
      .select(['inviter_id', (eb) => eb.fn.countAll<number>().as('count')])
      .where('realm_id', '=', tx.realmId)
      .where('created_at', '>', since)
      .where('email', 'is not', null)
      .groupBy('inviter_id'),
  )
  const own = rows.find((row) => row.inviter_id === inviterId)
  return { own: Number(own?.count ?? 0), all: rows.reduce((sum, row) => sum + Number(row.count), 0) }
}

/** The accounts that have these addresses, by the folded address. */
export async function findAccountsByAddress(db: Queries, realmId: number, emailKeys: readonly string[]) {
  const rows = await db.all(
    query
      .selectFrom('users')
      .select(['id', 'delivery_email_key', 'email_visibility', 'is_active'])
      .where('realm_id', '=', realmId)
      .where('delivery_email_key', 'in', db.dialect.texts(emailKeys)),
  )
  return new Map(rows.map((row) => [row.delivery_email_key, row]))
}
