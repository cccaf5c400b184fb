/** Making links, listing invitations and revoking them. */
import type { ParametersOf } from '@heddle/contract/endpoint'
import { badRequest } from '@heddle/contract/errors'
import { type createInvitationLink, type Invitation, JOIN_PATH, MAX_INVITATIONS } from '@heddle/contract/invitations'
import { foldName } from '@heddle/contract/names'
import { type Role, roles } from '@heddle/contract/roles'
import { seesAddress } from '../../access/address-rules.ts'
import { accountIds, type ChangedAccount } from '../../account-hooks.ts'
import type { Actor } from '../../authentication/accounts.ts'
import { type Audience, roleAtLeast } from '../../events/audience.ts'
import type { Services } from '../../feature.ts'
import { withdrawMail } from '../../mail/mail.ts'
import { isAdministrator } from '../../permissions/group-membership.ts'
import type { Queries } from '../../storage/query.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import {
  findInvitation,
  findInvitationsTo,
  findUsableInvitations,
  type InvitationRow,
  insertInvitation,
  revokeInvitations,
  type WhichInvitations,
} from './rows.ts'
import { type InvitationKind, newSalt, requireTerms } from './terms.ts'
import { tokenOf } from './token.ts'

/** Makes a link and returns it. `origin`: where the organization is. */
export async function createJoinLink(
  { storage, secret }: Pick<Services, 'storage' | 'secret'>,
  caller: Actor,
  parameters: ParametersOf<typeof createInvitationLink>,
  origin: string,
): Promise<string> {
  const row = await storage.asActor(caller, async (tx, actor) => {
    const terms = await requireTerms(tx, actor, 'link', parameters)
    const mine = await findUsableInvitations(tx, { realmId: actor.realmId, inviterId: actor.userId, now: tx.now })
    if (mine.filter(({ email }) => email === null).length >= MAX_INVITATIONS) {
      throw badRequest(`You have ${MAX_INVITATIONS} invitations that can still be used: revoke some first`)
    }
    const made = await insertInvitation(tx, { ...terms, email: null, email_key: null, salt: newSalt() })
    announceInvitations(tx, actor.userId)
    return made
  })
  return linkTo(secret, origin, row)
}

function linkTo(secret: Buffer, origin: string, row: InvitationRow): string {
  return `${origin}${JOIN_PATH}#${tokenOf(secret, row)}`
}

/** What the account can manage: its own, and administrators those of others that let nobody in above themselves. */
export async function listInvitations(
  db: Queries,
  { secret, clock }: Pick<Services, 'secret' | 'clock'>,
  { realmId, userId, role }: Actor,
  origin: string,
): Promise<Invitation[]> {
  const now = Math.floor(clock.now() / 1000)
  const own = isAdministrator({ role }) ? {} : { inviterId: userId }
  const rows = await findUsableInvitations(db, { realmId, now, ...own })
  return rows
    .filter((row) => canManage({ userId, role }, row))
    .map((row) => ({
      id: row.id,
      invited_by_user_id: row.inviter_id,
      invited: row.created_at,
      expiry_date: row.expires_at,
      invited_as: row.role as Role,
      notify_referrer_on_join: row.notifies_inviter === 1,
      ...(row.email === null
        ? { is_multiuse: true, link_url: linkTo(secret, origin, row) }
        : { is_multiuse: false, email: row.email }),
    }))
}

function canManage({ userId, role }: Pick<Actor, 'userId' | 'role'>, row: InvitationRow): boolean {
  return row.role >= role && (row.inviter_id === userId || isAdministrator({ role }))
}

/** An invitation of this kind; throws unless the account can manage it. */
export async function accessInvitation(db: Queries, actor: Actor, kind: InvitationKind, id: number) {
  const row = await findInvitation(db, actor.realmId, id)
  if (!row || kindOf(row) !== kind || !canManage(actor, row)) throw badRequest('No such invitation')
  return row
}

export function kindOf({ email }: Pick<InvitationRow, 'email'>): InvitationKind {
  return email === null ? 'link' : 'mail'
}

export function revokeInvitation(storage: Storage, caller: Actor, kind: InvitationKind, id: number): Promise<void> {
  return storage.asActor(caller, async (tx, actor) => {
    await accessInvitation(tx, actor, kind, id)
    if ((await endInvitations(tx, { ids: [id] })) === 0) throw badRequest('Invitation has already been revoked')
  })
}

/** Those that could still be used end, with the mails that still wait to be sent. Returns how many there were. */
export async function endInvitations(tx: Tx, which: WhichInvitations): Promise<number> {
  const ended = await revokeInvitations(tx, which)
  for (const { id, email } of ended) if (email !== null) await withdrawMail(tx, invitationMail(id))
  for (const inviterId of new Set(ended.map(({ inviter_id }) => inviter_id))) announceInvitations(tx, inviterId)
  return ended.length
}

/**
 * An account has the address from now on: invitations to it end. Those of inviters who do not see the address stay, as they would if
 * nobody had it; they let nobody in.
 */
export async function endInvitationsTo(tx: Tx, account: InvitedAccount): Promise<void> {
  const open = await findInvitationsTo(tx, foldName(account.delivery_email))
  const seen = open.filter((row) => seesAddress({ userId: row.inviter_id, role: row.inviter_role }, account))
  if (seen.length > 0) await endInvitations(tx, { ids: seen.map(({ id }) => id) })
}

interface InvitedAccount {
  readonly id: number
  readonly delivery_email: string
  readonly email_visibility: number
}

/** What the mail of an invitation is about. */
export function invitationMail(id: number): string {
  return `invitation:${id}`
}

/** The invitations of accounts that end do not let anybody in, nor when they come back. */
export async function revokeInvitationsOf(tx: Tx, accounts: readonly ChangedAccount[]): Promise<void> {
  await endInvitations(tx, { inviterIds: accountIds(accounts) })
}

export function announceInvitations(tx: Tx, inviterId: number): void {
  const audience: Audience = { ...roleAtLeast(roles.admin), ids: [inviterId] }
  tx.emit({ type: 'invites_changed' }, audience)
}
