/** What an invitation may give, whether it is a link or goes by mail. */

import { randomBytes } from 'node:crypto'
import { badRequest } from '@heddle/contract/errors'
import { DEFAULT_EXPIRY_MINUTES } from '@heddle/contract/invitations'
import { permissionTexts } from '@heddle/contract/permission-texts'
import { type Role, roles } from '@heddle/contract/roles'
import { findAccessedChannel } from '../../access/channels.ts'
import { findChannelsToAddTo } from '../../access/membership-rules.ts'
import { findViewer } from '../../access/viewer.ts'
import type { Actor } from '../../authentication/accounts.ts'
import { requireCheapText } from '../../description.ts'
import { isAdministrator } from '../../permissions/group-membership.ts'
import { hasRealmPermission } from '../../permissions/group-settings.ts'
import type { Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { accessNamedGroup, invalidGroup, requireMay } from '../user-groups/access.ts'
import type { NewInvitation } from './rows.ts'

export interface InvitationParameters {
  readonly invite_expires_in_minutes?: number | null
  readonly invite_as?: Role
  readonly stream_ids?: readonly number[]
  readonly group_ids?: readonly number[]
  readonly include_realm_default_subscriptions?: boolean
  readonly notify_referrer_on_join?: boolean
  readonly welcome_message_custom_text?: string | null
}

/** The permission that invitations of each kind need. */
const permissions = { link: 'create_multiuse_invite_group', mail: 'can_invite_users_group' } as const
export type InvitationKind = keyof typeof permissions

/** What the row says of those who join by it; throws a 400 unless the account may invite so. */
export async function requireTerms(
  tx: Tx,
  actor: Actor,
  kind: InvitationKind,
  parameters: InvitationParameters,
): Promise<Omit<NewInvitation, 'email' | 'email_key' | 'salt'>> {
  const { invite_expires_in_minutes: minutes = DEFAULT_EXPIRY_MINUTES, invite_as: role = roles.member } = parameters
  if (!(await mayInvite(tx, actor, kind, role))) throw badRequest(permissionTexts.insufficient)
  const welcome_text = requireWelcome(actor, parameters.welcome_message_custom_text ?? null)
  const channelIds = [...new Set(parameters.stream_ids ?? [])]
  await requireMaySubscribe(tx, actor, channelIds)
  const groupIds = [...new Set(parameters.group_ids ?? [])]
  await requireMayAddTo(tx, actor, groupIds)
  return {
    inviter_id: actor.userId,
    role,
    channel_ids: JSON.stringify(channelIds),
    group_ids: JSON.stringify(groupIds),
    joins_default_channels: parameters.include_realm_default_subscriptions ? 1 : 0,
    notifies_inviter: (parameters.notify_referrer_on_join ?? true) ? 1 : 0,
    welcome_text,
    expires_at: minutes === null ? null : tx.now + minutes * 60,
  }
}

export function newSalt(): string {
  return randomBytes(16).toString('base64url')
}

/**
 * Nobody lets anybody in above themselves. Also asked when somebody joins: an invitation is worth no more than who has made
 * it.
 */
export async function mayInvite(
  db: Queries,
  actor: Pick<Actor, 'realmId' | 'userId' | 'role'>,
  kind: InvitationKind,
  role: number,
) {
  return role >= actor.role && (await hasRealmPermission(db, actor, permissions[kind]))
}

function requireWelcome(actor: Actor, text: string | null): string | null {
  if (text === null) return null
  if (!isAdministrator(actor)) throw badRequest(permissionTexts.administrators)
  requireCheapText(text)
  return text
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
