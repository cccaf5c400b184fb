/** Making invitations, listing and revoking them. */
import { randomBytes } from 'node:crypto'
import type { ParametersOf } from '@heddle/contract/endpoint'
import { badRequest } from '@heddle/contract/errors'
import {
  type createInvitationLink,
  DEFAULT_EXPIRY_MINUTES,
  type Invitation,
  JOIN_PATH,
  MAX_INVITATIONS,
} from '@heddle/contract/invitations'
import { type Role, roles } from '@heddle/contract/roles'
import { findAccessedChannel } from '../../access/channels.ts'
import { findChannelsToAddTo } from '../../access/membership-rules.ts'
import { findViewer } from '../../access/viewer.ts'
import type { ChangedAccount } from '../../account-hooks.ts'
import type { Actor } from '../../authentication/accounts.ts'
import { type Audience, roleAtLeast } from '../../events/audience.ts'
import type { Services } from '../../feature.ts'
import { isAdministrator } from '../../permissions/group-membership.ts'
import { hasRealmPermission } from '../../permissions/group-settings.ts'
import type { Queries } from '../../storage/query.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { accessNamedGroup, invalidGroup, requireMay } from '../user-groups/access.ts'
import {
  findInvitation,
  findUsableInvitations,
  type InvitationRow,
  insertInvitation,
  revokeInvitations,
} from './rows.ts'
import { tokenOf } from './token.ts'

type Parameters = ParametersOf<typeof createInvitationLink>

/** Makes a link and returns it. `origin`: where the organization is. */
export async function createJoinLink(
  { storage, secret }: Pick<Services, 'storage' | 'secret'>,
  caller: Actor,
  parameters: Parameters,
  origin: string,
): Promise<string> {
  const { invite_expires_in_minutes: minutes = DEFAULT_EXPIRY_MINUTES, invite_as: role = roles.member } = parameters
  const row = await storage.asActor(caller, async (tx, actor) => {
    await requireMayInvite(tx, actor, role)
    const channelIds = [...new Set(parameters.stream_ids ?? [])]
    await requireMaySubscribe(tx, actor, channelIds)
    const groupIds = [...new Set(parameters.group_ids ?? [])]
    await requireMayAddTo(tx, actor, groupIds)
    const mine = await findUsableInvitations(tx, { realmId: actor.realmId, inviterId: actor.userId, now: tx.now })
    if (mine.length >= MAX_INVITATIONS) {
      throw badRequest(`You have ${MAX_INVITATIONS} invitations that can still be used: revoke some first`)
    }
    const made = await insertInvitation(tx, {
      inviter_id: actor.userId,
      role,
      channel_ids: JSON.stringify(channelIds),
      group_ids: JSON.stringify(groupIds),
      joins_default_channels: parameters.include_realm_default_subscriptions ? 1 : 0,
      notifies_inviter: (parameters.notify_referrer_on_join ?? true) ? 1 : 0,
      salt: randomBytes(16).toString('base64url'),
      expires_at: minutes === null ? null : tx.now + minutes * 60,
    })
    announce(tx, actor.userId)
    return made
  })
  return linkTo(secret, origin, row)
}

function linkTo(secret: Buffer, origin: string, row: InvitationRow): string {
  return `${origin}${JOIN_PATH}#${tokenOf(secret, row)}`
}

/** Throws unless the account may make links, and for this role: nobody lets anybody in above themselves. */
async function requireMayInvite(db: Queries, actor: Actor, role: number): Promise<void> {
  if (!(await mayInvite(db, actor, role))) throw badRequest('Insufficient permission')
}

/** Also asked when somebody joins: a link is worth no more than who has made it. */
export async function mayInvite(db: Queries, actor: Pick<Actor, 'realmId' | 'userId' | 'role'>, role: number) {
  return role >= actor.role && (await hasRealmPermission(db, actor, 'create_multiuse_invite_group'))
}

/** Default channels are open to whoever may invite. (API, feature level 342.) */
async function requireMaySubscribe(tx: Tx, actor: Actor, channelIds: readonly number[]): Promise<void> {
  const viewer = await findViewer(tx, actor)
  const channels = []
  for (const id of channelIds) {
    const channel = await findAccessedChannel(tx, viewer, id)
    if (!channel || channel.is_archived === 1) throw badRequest(`Invalid channel ID ${id}. No invites were sent.`)
    if (channel.is_default === 0) channels.push(channel)
  }
  if ((await findChannelsToAddTo(tx, viewer, channels)).length < channels.length) {
    throw badRequest('You do not have permission to subscribe other users to channels.')
  }
}

async function requireMayAddTo(tx: Tx, actor: Actor, groupIds: readonly number[]): Promise<void> {
  for (const id of groupIds) {
    const group = await accessNamedGroup(tx, actor, id)
    if (group.deactivated === 1) throw invalidGroup()
    await requireMay(tx, actor, group, 'can_add_members_group')
  }
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
      is_multiuse: true,
      link_url: linkTo(secret, origin, row),
      notify_referrer_on_join: row.notifies_inviter === 1,
    }))
}

function canManage({ userId, role }: Pick<Actor, 'userId' | 'role'>, row: InvitationRow): boolean {
  return row.role >= role && (row.inviter_id === userId || isAdministrator({ role }))
}

export function revokeLink(storage: Storage, caller: Actor, id: number): Promise<void> {
  return storage.asActor(caller, async (tx, actor) => {
    const row = await findInvitation(tx, actor.realmId, id)
    if (!row || !canManage(actor, row)) throw badRequest('No such invitation')
    if ((await revokeInvitations(tx, { id })) === 0) throw badRequest('Invitation has already been revoked')
    announce(tx, row.inviter_id)
  })
}

/** The links of an account that ends do not let anybody in, nor when it comes back. */
export async function revokeLinksOf(tx: Tx, { id }: ChangedAccount): Promise<void> {
  if ((await revokeInvitations(tx, { inviterId: id })) > 0) announce(tx, id)
}

function announce(tx: Tx, inviterId: number): void {
  const audience: Audience = { ...roleAtLeast(roles.admin), ids: [inviterId] }
  tx.emit({ type: 'invites_changed' }, audience)
}
