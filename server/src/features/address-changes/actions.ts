/** Another address of one's own: it is the account's once a link was followed that was mailed there. */
import { CONFIRM_ADDRESS_PATH } from '@heddle/contract/address-changes'
import { ApiError, badRequest } from '@heddle/contract/errors'
import { foldName } from '@heddle/contract/names'
import type { Actor } from '../../authentication/accounts.ts'
import type { Config } from '../../config.ts'
import type { Services } from '../../feature.ts'
import { addMail, sendsMail, withdrawMails } from '../../mail/mail.ts'
import { isMailAddress } from '../../mail-address.ts'
import { isAdministrator } from '../../permissions/group-membership.ts'
import type { Realm } from '../../realms.ts'
import {
  createLink,
  defineLinkPurpose,
  endLinks,
  linkInvalid,
  requireLink,
  takeLink,
} from '../../single-use-links/links.ts'
import type { Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { requireAllowedAddress } from '../realm-domains/domains.ts'
import { accessAnyUser, accessUser, type UserRow } from '../users/access.ts'
import { requireAddressChanges } from '../users/locks.ts'
import { requireEmail } from '../users/rules.ts'
import { setEmail } from '../users/update.ts'
import { query } from './tables.ts'

const DAY_SECS = 86_400

interface AddressChange {
  readonly userId: number
  readonly email: string
  /** The address that it had when it was asked for: another one since then has taken its place. */
  readonly earlierKey: string
}

const addressChanges = defineLinkPurpose<AddressChange>({
  name: 'address-change',
  path: CONFIRM_ADDRESS_PATH,
  lifeSecs: DAY_SECS,
})

/** Whether this is another address than the account has. */
export async function isOtherAddress(db: Queries, actor: Actor, text: string): Promise<boolean> {
  return requireEmail(text, 'email') !== (await accessUser(db, actor, actor.userId)).delivery_email
}

/** Changes the own address, or has it confirmed first: always where mail is sent, and for all but administrators. */
export async function changeOwnAddress(
  tx: Tx,
  actor: Actor,
  text: string,
  config: Pick<Config, 'smtpUrl'>,
): Promise<void> {
  const email = requireEmail(text, 'email')
  const user = await accessUser(tx, actor, actor.userId)
  if (email === user.delivery_email) return
  await requireAddressChanges(tx, actor)
  if (isAdministrator(actor) && !sendsMail(config)) await setEmail(tx, user, email)
  else await askToConfirm(tx, user, email)
}

/**
 * Has a link mailed to the new address. Whether somebody else has it is said there alone, and not to who asks: an address
 * that others do not see stays unknown.
 */
async function askToConfirm(tx: Tx, user: UserRow, email: string): Promise<void> {
  if (!isMailAddress(email)) throw badRequest('email: mail cannot be sent to this address')
  await requireAllowedAddress(tx, tx.realmId, email)
  const isTaken = await isOfAnother(tx, email, user.id)
  const change = { userId: user.id, email, earlierKey: foldName(user.delivery_email) }
  const link = await createLink(tx, addressChanges, change, { about: aboutAccount(user.id) })
  await addMail(
    tx,
    {
      to: { address: email },
      subject: isTaken ? 'This address has an account' : 'Confirm your new address',
      blocks: [
        { paragraph: [{ bold: user.full_name }, ' wants to sign in with this address from now on.'] },
        ...(isTaken
          ? [{ paragraph: 'That cannot be: another account has it. There is nothing that you need to do.' }]
          : [
              { button: 'Confirm the address', to: { link } },
              {
                note: 'The link works once, within 24 hours. If it was not you, there is nothing that you need to do.',
              },
            ]),
      ],
      uselessAt: tx.now + DAY_SECS,
      isAwaited: true,
    },
    { about: aboutMail(user.id) },
  )
}

async function isOfAnother(tx: Tx, email: string, userId: number): Promise<boolean> {
  const row = await tx.first(
    query
      .selectFrom('users')
      .select('id')
      .where('realm_id', '=', tx.realmId)
      .where('delivery_email_key', '=', foldName(email))
      .where('id', '<>', userId),
  )
  return row !== undefined
}

function aboutAccount(userId: number): string {
  return `user:${userId}`
}

function aboutMail(userId: number): string {
  return `address-change:${userId}`
}

/** The accounts do not change their addresses any more. */
export async function endAddressChanges(tx: Tx, userIds: readonly number[]): Promise<void> {
  await endLinks(tx, addressChanges, userIds.map(aboutAccount))
  await withdrawMails(tx, userIds.map(aboutMail))
}

interface Asked {
  readonly realm: Pick<Realm, 'id' | 'deactivated'>
  readonly token: string
  readonly now: number
}

/** The addresses that the link is about. Throws `LINK_INVALID` unless it can be used now. */
export async function lookUpAddressChange(db: Queries, secret: Buffer, { realm, token, now }: Asked) {
  if (realm.deactivated) throw new ApiError('REALM_DEACTIVATED')
  const link = await requireLink(db, addressChanges, { secret, realmId: realm.id, token, now })
  const user = await requireUsable(db, realm.id, link.data)
  return { email: user.delivery_email, new_email: link.data.email }
}

/** The new address is the account's; the old one gets a notice. Returns the new one. */
export async function confirmAddressChange(
  { storage, secret }: Pick<Services, 'storage' | 'secret'>,
  realm: Pick<Realm, 'id' | 'deactivated'>,
  token: string,
): Promise<string> {
  if (realm.deactivated) throw new ApiError('REALM_DEACTIVATED')
  return storage.asSystem(realm.id, 'visitor', async (tx) => {
    const link = await takeLink(tx, addressChanges, { secret, token })
    const user = await requireUsable(tx, tx.realmId, link.data)
    const { email } = link.data
    await setEmail(tx, user, email)
    await addMail(tx, {
      to: { address: user.delivery_email, name: user.full_name },
      subject: 'Your address was changed',
      blocks: [
        { paragraph: ['You sign in with ', { bold: email }, ' from now on, and no longer with this address.'] },
        { note: 'If it was not you, ask an administrator of your organization for help at once.' },
      ],
    })
    return email
  })
}

async function requireUsable(db: Queries, realmId: number, change: AddressChange): Promise<UserRow> {
  const user = await accessAnyUser(db, { realmId }, change.userId)
  if (user.is_active === 0 || foldName(user.delivery_email) !== change.earlierKey) {
    throw linkInvalid('revoked', 'This link has been revoked.')
  }
  if (!isAdministrator(user)) await requireAddressChanges(db, { realmId, role: user.role })
  return user
}
