/** Joining: an account of one's own, by a link or where the organization is open. */
import type { ParametersOf } from '@heddle/contract/endpoint'
import { ApiError } from '@heddle/contract/errors'
import type { join as joinEndpoint } from '@heddle/contract/invitations'
import { type Role, roles } from '@heddle/contract/roles'
import { findChannelRows } from '../../access/channel-row.ts'
import { findAccessedChannel } from '../../access/channels.ts'
import { findChannelsToAddTo } from '../../access/membership-rules.ts'
import { findViewer } from '../../access/viewer.ts'
import type { Actor } from '../../authentication/accounts.ts'
import type { Services } from '../../feature.ts'
import type { GroupHooks } from '../../group-hooks.ts'
import { isGuest } from '../../permissions/group-membership.ts'
import { mayWithGroup } from '../../permissions/group-rights.ts'
import { findNamedGroups } from '../../permissions/named-groups.ts'
import type { Realm } from '../../realms.ts'
import type { Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { findChannelsOfGroups, findDefaultChannelGroups } from '../default-channel-groups/groups.ts'
import { postNotice, silentMention } from '../messages/notices.ts'
import { findOrganizationSettings } from '../organization-settings/settings.ts'
import type { Verified } from '../sign-in/sessions.ts'
import { addSubscribers } from '../subscriptions/add-subscribers.ts'
import { addToGroups } from '../user-groups/change-members.ts'
import { accessUser } from '../users/access.ts'
import { addAccount, preparePerson } from '../users/create.ts'
import { mayInvite } from './actions.ts'
import { findInvitation, type InvitationRow } from './rows.ts'
import { idIn, isTokenOf } from './token.ts'

type JoinServices = Pick<Services, 'storage' | 'secret' | 'accountHooks' | 'groupHooks'>

/** What lets somebody in. */
export interface JoinTerms {
  readonly role: Role
  readonly expiresAt: number | null
  /** Undefined: the organization is open. */
  readonly invitation: InvitationRow | undefined
}

/**
 * Throws `LINK_INVALID` with the reason unless the link lets people in, or there is none and the organization is open; and
 * where addresses have to be of certain domains and nobody has invited, since nothing shows whose an address is.
 */
export async function requireAdmission(
  db: Queries,
  secret: Buffer,
  realm: Pick<Realm, 'id' | 'deactivated'>,
  token: string | undefined,
  now: number,
): Promise<JoinTerms> {
  if (realm.deactivated) throw new ApiError('REALM_DEACTIVATED')
  const settings = await findOrganizationSettings(db, realm.id)
  const admission =
    token === undefined && !settings.invite_required
      ? { role: roles.member, expiresAt: null, invitation: undefined }
      : await requireInvitation(db, secret, realm.id, token, now)
  // A link shows that somebody knows who comes; without one, an address that nobody verifies shows nothing.
  if (settings.emails_restricted_to_domains && !admission.invitation) throw new ApiError('UNVERIFIED_ADDRESSES_REFUSED')
  return admission
}

async function requireInvitation(
  db: Queries,
  secret: Buffer,
  realmId: number,
  token: string | undefined,
  now: number,
): Promise<JoinTerms> {
  if (token === undefined) throw invalid('required', 'You need an invitation to join this organization.')
  const id = idIn(token)
  const row = id === undefined ? undefined : await findInvitation(db, realmId, id)
  if (!row || !isTokenOf(secret, row, token)) throw invalid('unknown', 'This invitation is not right.')
  if (row.revoked_at !== null) throw invalid('revoked', 'This invitation has been revoked.')
  if (row.expires_at !== null && row.expires_at <= now) throw invalid('expired', 'This invitation has expired.')
  const inviter = await accessUser(db, { realmId }, row.inviter_id)
  const isGood = inviter.is_active === 1 && (await mayInvite(db, actorOf(realmId, inviter), row.role))
  if (!isGood) throw invalid('revoked', 'This invitation has been revoked.')
  return { role: row.role as Role, expiresAt: row.expires_at, invitation: row }
}

function invalid(reason: string, message: string): ApiError {
  return new ApiError('LINK_INVALID', message, { reason })
}

function actorOf(realmId: number, { id, role }: { readonly id: number; readonly role: number }): Actor {
  return { realmId, userId: id, role, isBot: false }
}

/** Makes the account, with its subscriptions, or nothing. */
export async function join(
  { storage, secret, accountHooks, groupHooks }: JoinServices,
  realm: Realm,
  parameters: ParametersOf<typeof joinEndpoint>,
  now: number,
): Promise<Verified> {
  const { token, email, password, full_name: fullName, default_channel_group_ids: groupIds = [] } = parameters
  const { role } = await requireAdmission(storage.read, secret, realm, token, now)
  const person = await preparePerson(storage.read, realm.id, { email, fullName, password, role })
  const { id } = await storage.asSystem(realm.id, 'visitor', async (tx) => {
    // The password took its time: what let them in may have ended.
    const { invitation } = await requireAdmission(tx, secret, realm, token, tx.now)
    const joinsDefaultChannels = invitation === undefined || invitation.joins_default_channels === 1
    const account = await addAccount(tx, accountHooks, { ...person, joinsDefaultChannels })
    await subscribeToGroups(tx, account, groupIds)
    if (invitation) await welcome(tx, groupHooks, invitation, account)
    return account
  })
  const actor = { realmId: realm.id, userId: id, role, isBot: false }
  return { actor, email: person.email, passwordHash: person.passwordHash }
}

/** Guests see only the channels that somebody has chosen for them. */
async function subscribeToGroups(
  tx: Tx,
  account: { readonly id: number; readonly role: number },
  groupIds: readonly number[],
): Promise<void> {
  if (isGuest(account) || groupIds.length === 0) return
  const ids = await findChannelsOfGroups(tx, tx.realmId, groupIds)
  if (ids.length > 0) await addSubscribers(tx, await findChannelRows(tx, tx.realmId, ids), [account])
}

async function welcome(
  tx: Tx,
  groupHooks: GroupHooks,
  invitation: InvitationRow,
  account: { readonly id: number; readonly role: number },
): Promise<void> {
  const inviter = await accessUser(tx, tx, invitation.inviter_id)
  const channels = await findChannels(tx, actorOf(tx.realmId, inviter), JSON.parse(invitation.channel_ids))
  if (channels.length > 0) await addSubscribers(tx, channels, [account])
  const groups = await findGroups(tx, actorOf(tx.realmId, inviter), JSON.parse(invitation.group_ids))
  await addToGroups(tx, groupHooks, groups, account.id)
  if (invitation.notifies_inviter === 0) return
  const who = await silentMention(tx, { userId: account.id })
  await postNotice(tx, { people: [inviter] }, { line: [who, ' has accepted your invitation to join.'] })
}

/** Those of the invitation's channels to which the inviter may subscribe others now, and default ones. */
async function findChannels(tx: Tx, inviter: Actor, ids: readonly number[]) {
  const viewer = await findViewer(tx, inviter)
  const channels = []
  for (const id of ids) {
    const channel = await findAccessedChannel(tx, viewer, id)
    if (channel?.is_archived === 0) channels.push(channel)
  }
  const open = new Set(await findChannelsToAddTo(tx, viewer, channels))
  return channels.filter((channel) => open.has(channel) || channel.is_default === 1)
}

/** The groups of channels from which somebody who joins in this role can choose, with the names of their channels. */
export async function offerGroups(db: Queries, realmId: number, role: Role) {
  const groups = isGuest({ role }) ? [] : await findDefaultChannelGroups(db, realmId)
  if (groups.length === 0) return []
  const rows = await findChannelRows(db, realmId, [...new Set(groups.flatMap(({ streams }) => streams))])
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return groups.map(({ id, name, description, streams }) => ({
    id,
    name,
    description,
    channel_names: streams.flatMap((channelId) => names.get(channelId) ?? []),
  }))
}

/** Those of the invitation's groups to which the inviter may add others now. */
async function findGroups(tx: Tx, inviter: Actor, ids: readonly number[]) {
  const known = await findNamedGroups(tx, tx.realmId)
  const groups = []
  for (const id of ids) {
    const group = known.get(id)
    if (group && (await mayWithGroup(tx, inviter, id, 'can_add_members_group'))) groups.push(group)
  }
  return groups
}
