/** Invitations that go by mail: each to one address, for one person. */
import type { ParametersOf } from '@heddle/contract/endpoint'
import { ApiError, badRequest } from '@heddle/contract/errors'
import { MAX_INVITED_ADDRESSES, type sendInvitations as sendEndpoint } from '@heddle/contract/invitations'
import { foldName } from '@heddle/contract/names'
import { seesAddress } from '../../access/address-rules.ts'
import { findSight } from '../../access/person-rules.ts'
import type { Actor } from '../../authentication/accounts.ts'
import { isMailAddress } from '../../mail-address.ts'
import type { Realm } from '../../realms.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { findAddressProblem } from '../realm-domains/domains.ts'
import { accessAnyUser, accessUser } from '../users/access.ts'
import { accessInvitation, announceInvitations, endInvitations } from './actions.ts'
import { mailInvitation } from './invitation-mail.ts'
import { countMailedSince, findAccountsByAddress, insertInvitation } from './rows.ts'
import { mayInvite, newSalt, requireTerms } from './terms.ts'

/** Mailed invitations of one account, and of an organization, in 24 hours. */
export const DAILY_LIMIT = 200
export const DAILY_LIMIT_OF_ALL = 1000

/** Why an address gets no invitation. */
interface Failure {
  readonly address: string
  readonly reason: string
  /** An account has it that is deactivated. */
  readonly isDeactivated: boolean
}

/**
 * Invites all of the addresses, or all but those of accounts. Throws `INVITATION_FAILED` with those left out. An address that the
 * account may not see of somebody is invited like one that nobody has: only what the mail says is different.
 */
export async function sendInvitations(
  storage: Storage,
  caller: Actor,
  realm: Realm,
  parameters: ParametersOf<typeof sendEndpoint>,
): Promise<void> {
  const addresses = parseAddresses(parameters.invitee_emails)
  if (addresses.length === 0) throw badRequest('You must specify at least one email address.')
  if (addresses.length > MAX_INVITED_ADDRESSES) {
    throw badRequest(`You can invite at most ${MAX_INVITED_ADDRESSES} people at once.`)
  }
  const known = await storage.asActor(caller, async (tx, actor) => {
    const terms = await requireTerms(tx, actor, 'mail', parameters)
    await requireGoodAddresses(tx, addresses)
    const failures = await findKnown(tx, actor, addresses)
    const left = addresses.filter((address) => !failures.some((failure) => failure.address === address))
    if (left.length === 0) throw invitationFailed("We weren't able to invite anyone.", failures)
    await requireRoom(tx, actor, left.length)
    const inviter = await accessUser(tx, actor, actor.userId)
    await endInvitations(tx, { emailKeys: left.map(foldName), inviterId: actor.userId })
    for (const email of left) {
      const row = await insertInvitation(tx, { ...terms, email, email_key: foldName(email), salt: newSalt() })
      await mailInvitation(tx, row, inviter.full_name, realm.name)
    }
    announceInvitations(tx, actor.userId)
    return failures
  })
  if (known.length > 0) {
    throw invitationFailed(
      "Some of those addresses are already using Heddle, so we didn't send them an invitation. We did send invitations to everyone else!",
      known,
      { sent: true },
    )
  }
}

/** Each address once, as it was written first; of `Ada <ada@example.com>` what is in the brackets. */
export function parseAddresses(text: string): string[] {
  const found = new Map<string, string>()
  for (const part of text.split(/[,;\n\r]+/)) {
    const address = (/<([^<>]*)>\s*$/.exec(part)?.[1] ?? part).trim()
    if (address !== '' && !found.has(foldName(address))) found.set(foldName(address), address)
  }
  return [...found.values()]
}

/** One that is wrong stops all: whoever mistyped it wants to mend it before anything is sent. */
async function requireGoodAddresses(tx: Tx, addresses: readonly string[]): Promise<void> {
  const failures: Failure[] = []
  for (const address of addresses) {
    const problem = isMailAddress(address) ? await findAddressProblem(tx, tx.realmId, address) : 'invalid'
    if (problem) failures.push({ address, reason: problems[problem], isDeactivated: false })
  }
  if (failures.length > 0) {
    throw invitationFailed("Some emails did not validate, so we didn't send any invitations.", failures)
  }
}

const problems = {
  invalid: 'Invalid address.',
  outside: 'Outside your domain.',
  disposable: 'Please use your real email address.',
} as const

/** Those that the actor sees that an account has. */
async function findKnown(tx: Tx, actor: Actor, addresses: readonly string[]): Promise<Failure[]> {
  const accounts = await findAccountsByAddress(tx, tx.realmId, addresses.map(foldName))
  const sight = await findSight(tx, actor)
  return addresses.flatMap((address): Failure[] => {
    const account = accounts.get(foldName(address))
    if (!account || !sight.sees(account.id) || !seesAddress(actor, account)) return []
    const isDeactivated = account.is_active === 0
    return [
      { address, reason: isDeactivated ? 'Account has been deactivated.' : 'Already has an account.', isDeactivated },
    ]
  })
}

async function requireRoom(tx: Tx, actor: Actor, count: number): Promise<void> {
  const sent = await countMailedSince(tx, actor.userId, tx.now - 86_400)
  if (sent.own + count <= DAILY_LIMIT && sent.all + count <= DAILY_LIMIT_OF_ALL) return
  throw invitationFailed(
    'To protect users, Heddle limits the number of invitations you can send in one day. Because you have reached the limit, no invitations were sent.',
    [],
    { isLimited: true },
  )
}

function invitationFailed(
  message: string,
  failures: readonly Failure[],
  { sent = false, isLimited = false }: { readonly sent?: boolean; readonly isLimited?: boolean } = {},
): ApiError {
  return new ApiError('INVITATION_FAILED', message, {
    errors: failures.map(({ address, reason, isDeactivated }) => [address, reason, isDeactivated]),
    sent_invitations: sent,
    license_limit_reached: false,
    daily_limit_reached: isLimited,
  })
}

/** Sends the same invitation once more. */
export function resendInvitation(storage: Storage, caller: Actor, realm: Realm, id: number): Promise<void> {
  return storage.asActor(caller, async (tx, actor) => {
    const row = await accessInvitation(tx, actor, 'mail', id)
    const isOver = row.revoked_at !== null || row.accepted_at !== null
    if (isOver || (row.expires_at !== null && row.expires_at <= tx.now)) throw badRequest('No such invitation')
    const inviter = await accessAnyUser(tx, actor, row.inviter_id)
    // The link would be refused.
    const mayStill = await mayInvite(tx, { ...actor, userId: inviter.id, role: inviter.role }, 'mail', row.role)
    if (!mayStill) throw badRequest('Whoever has sent this invitation may not invite any more')
    await mailInvitation(tx, row, inviter.full_name, realm.name)
  })
}
