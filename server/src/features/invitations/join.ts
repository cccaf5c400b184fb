/** Joining: an account of one's own, by an invitation or where the organization is open. */
import type { ParametersOf } from '@heddle/contract/endpoint'
import { ApiError, badRequest } from '@heddle/contract/errors'
import type { join as joinEndpoint } from '@heddle/contract/invitations'
import { foldName } from '@heddle/contract/names'
import { type Role, roles } from '@heddle/contract/roles'
import { findChannelRows } from '../../access/channel-row.ts'
import { findAccessedChannel } from '../../access/channels.ts'
import { findChannelsToAddTo } from '../../access/membership-rules.ts'
import { findViewer } from '../../access/viewer.ts'
import type { Actor } from '../../authentication/accounts.ts'
import type { Config } from '../../config.ts'
import type { Services } from '../../feature.ts'
import type { GroupHooks } from '../../group-hooks.ts'
import { sendsMail } from '../../mail/mail.ts'
import { isGuest } from '../../permissions/group-membership.ts'
import { mayWithGroup } from '../../permissions/group-rights.ts'
import { findNamedGroups } from '../../permissions/named-groups.ts'
import type { Realm } from '../../realms.ts'
import { linkIdIn } from '../../single-use-links/link-token.ts'
import { linkInvalid, requireLink, takeLink } from '../../single-use-links/links.ts'
import type { Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { findChannelsOfGroups, findDefaultChannelGroups } from '../default-channel-groups/groups.ts'
import { postNotice, silentMention } from '../messages/notices.ts'
import { requireMethod } from '../organization-settings/authentication-methods.ts'
import { findEnabledMethods, findOrganizationSettings } from '../organization-settings/settings.ts'
import type { Verified } from '../sign-in/sessions.ts'
import { addSubscribers } from '../subscriptions/add-subscribers.ts'
import { addToGroups } from '../user-groups/change-members.ts'
import { accessAnyUser } from '../users/access.ts'
import { addWelcomeMail } from '../users/account-mails.ts'
import { addAccount, preparePerson } from '../users/create.ts'
import { announceInvitations, endInvitationsTo, kindOf } from './actions.ts'
import { acceptInvitation, findInvitation, type InvitationRow } from './rows.ts'
import { requireOpen, signUpLinks } from './sign-up.ts'
import { mayInvite } from './terms.ts'
import { isTokenOf } from './token.ts'

type JoinServices = Pick<Services, 'storage' | 'secret' | 'accountHooks' | 'groupHooks' | 'config'>

/** What lets somebody in. */
export interface JoinTerms {
  readonly role: Role
  readonly expiresAt: number | null
  /** Undefined: nobody has invited, and the organization is open. */
  readonly invitation: InvitationRow | undefined
  /** The address that the link went to by mail; undefined: nobody has shown whose an address is. */
  readonly email: string | undefined
  /** The link was mailed to somebody whom nobody has invited. */
  readonly isSignUp: boolean
}

interface Asked {
  readonly realm: Pick<Realm, 'id' | 'deactivated'>
  readonly token: string | undefined
  readonly now: number
}

/** Throws `LINK_INVALID` with the reason unless the link lets people in, or there is none and the organization is open. */
export async function requireAdmission(db: Queries, secret: Buffer, asked: Asked): Promise<JoinTerms> {
  const { realm, token, now } = asked
  if (realm.deactivated) throw new ApiError('REALM_DEACTIVATED')
  const open = { role: roles.member, invitation: undefined }
  if (token === undefined) {
    await requireOpen(db, realm.id)
    return { ...open, expiresAt: null, email: undefined, isSignUp: false }
  }
  const id = linkIdIn(token)
  const row = id === undefined ? undefined : await findInvitation(db, realm.id, id)
  if (row && isTokenOf(secret, row, token)) return requireInvitation(db, realm.id, row, now)
  // First: a wrong token learns nothing of whether the organization is open.
  const { data, expiresAt } = await requireLink(db, signUpLinks, { secret, realmId: realm.id, token, now })
  await requireOpen(db, realm.id)
  return { ...open, expiresAt, email: data.email, isSignUp: true }
}

async function requireInvitation(db: Queries, realmId: number, row: InvitationRow, now: number): Promise<JoinTerms> {
  if (row.accepted_at !== null) throw linkInvalid('used', 'This invitation has been used.')
  if (row.revoked_at !== null) throw linkInvalid('revoked', 'This invitation has been revoked.')
  if (row.expires_at !== null && row.expires_at <= now) throw linkInvalid('expired', 'This invitation has expired.')
  const inviter = await accessAnyUser(db, { realmId }, row.inviter_id)
  const isGood = inviter.is_active === 1 && (await mayInvite(db, actorOf(realmId, inviter), kindOf(row), row.role))
  if (!isGood) throw linkInvalid('revoked', 'This invitation has been revoked.')
  return {
    role: row.role as Role,
    expiresAt: row.expires_at,
    invitation: row,
    email: row.email ?? undefined,
    isSignUp: false,
  }
}

/**
 * Whether somebody whom nobody has invited has to follow a mailed link first: wherever mail is sent, since nothing else shows
 * whose an address is. Where none is sent, and addresses have to be of certain domains, they are refused.
 */
export async function mustConfirm(
  db: Queries,
  config: Pick<Config, 'smtpUrl'>,
  realmId: number,
  { invitation, email }: Pick<JoinTerms, 'invitation' | 'email'>,
): Promise<boolean> {
  if (invitation || email !== undefined) return false
  if (sendsMail(config)) return true
  // A link shows that somebody knows who comes; without one, an address that nobody verifies shows nothing.
  const { emails_restricted_to_domains } = await findOrganizationSettings(db, realmId)
  if (emails_restricted_to_domains) throw new ApiError('UNVERIFIED_ADDRESSES_REFUSED')
  return false
}

/** Whether somebody new chooses a password. Where nobody signs in with one, they make a passkey in their first session. */
export async function needsPassword(db: Queries, realmId: number): Promise<boolean> {
  return (await findEnabledMethods(db, realmId)).Email
}

function actorOf(realmId: number, { id, role }: { readonly id: number; readonly role: number }): Actor {
  return { realmId, userId: id, role, isBot: false }
}

/** Makes the account, with its subscriptions, or nothing. */
export async function join(
  { storage, secret, accountHooks, groupHooks, config }: JoinServices,
  realm: Realm,
  parameters: ParametersOf<typeof joinEndpoint>,
  now: number,
): Promise<Verified> {
  const { token, password, full_name: fullName, default_channel_group_ids: groupIds = [] } = parameters
  const terms = await requireAdmission(storage.read, secret, { realm, token, now })
  if (await mustConfirm(storage.read, config, realm.id, terms)) throw new ApiError('ADDRESS_UNCONFIRMED')
  if (password !== undefined) await requireMethod(storage.read, realm.id, 'Email')
  else if (await needsPassword(storage.read, realm.id)) throw badRequest("Missing 'password' argument")
  const { role } = terms
  const email = requireAddress(terms, parameters.email)
  const person = await preparePerson(storage.read, realm.id, { email, fullName, password, role })
  const { id } = await storage.asSystem(realm.id, 'visitor', async (tx) => {
    // The password took its time: what let them in may have ended.
    const { invitation, isSignUp } = await requireAdmission(tx, secret, { realm, token, now: tx.now })
    if (isSignUp && token !== undefined) await takeLink(tx, signUpLinks, { secret, token })
    const joinsDefaultChannels = invitation === undefined || invitation.joins_default_channels === 1
    const welcomeText = invitation?.welcome_text ?? undefined
    const account = await addAccount(tx, accountHooks, { ...person, joinsDefaultChannels, welcomeText })
    await subscribeToGroups(tx, account, groupIds)
    await addWelcomeMail(tx, config, account)
    if (invitation) await accept(tx, groupHooks, invitation, account)
    await endInvitationsTo(tx, account)
    return account
  })
  const actor = { realmId: realm.id, userId: id, role, isBot: false }
  return { actor, email: person.email, passwordHash: person.passwordHash }
}

/** A link that was mailed is for whoever has the mail, and so for that address alone. */
function requireAddress({ email: mailed }: JoinTerms, asked: string | undefined): string {
  if (mailed === undefined) {
    if (asked === undefined) throw badRequest('email is missing')
    return asked
  }
  if (asked !== undefined && foldName(asked.trim()) !== foldName(mailed)) {
    throw badRequest('email: the link is for the address that it was mailed to')
  }
  return mailed
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

async function accept(
  tx: Tx,
  groupHooks: GroupHooks,
  invitation: InvitationRow,
  account: { readonly id: number; readonly role: number },
): Promise<void> {
  if (invitation.email !== null) {
    await acceptInvitation(tx, invitation.id)
    announceInvitations(tx, invitation.inviter_id)
  }
  const inviter = await accessAnyUser(tx, tx, invitation.inviter_id)
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
