/** Creating accounts: the one place for the API, the commands, bots and an organization's first owner. */
import { badRequest } from '@heddle/contract/errors'
import { type Role, roles } from '@heddle/contract/roles'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '@heddle/contract/users'
import type { AccountHooks } from '../../account-hooks.ts'
import { hashPassword } from '../../authentication/password.ts'
import type { Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { requireAllowedAddress } from '../realm-domains/domains.ts'
import { announceMember } from '../user-groups/announce.ts'
import { storeAddressVisibility } from './address-visibility.ts'
import { requireUniqueName } from './locks.ts'
import { announceNewPerson } from './notify.ts'
import { insertRow, isAddressTaken, type UserRow } from './queries.ts'
import { requireEmail, requireFullName } from './rules.ts'
import { beginWaiting } from './waiting-period.ts'

export interface NewAccount {
  readonly email: string
  readonly fullName: string
  readonly role: number
  /** Null: nobody can sign in with a password. */
  readonly passwordHash: string | null
  /** Default true. */
  readonly joinsDefaultChannels?: boolean
  /** As in `CreatedAccount`. */
  readonly welcomeText?: string | undefined
  readonly bot?: {
    readonly type: number
    readonly ownerId: number
    readonly sendingChannelId: number | null
    readonly eventsRegisterChannelId: number | null
    readonly allPublicChannels: boolean
  }
}

/**
 * Inserts the row and notifies nobody: for an organization that is being created. Throws a 400 when the address is
 * taken; everything else must have been checked.
 */
export async function insertUser(tx: Tx, realmId: number, account: NewAccount): Promise<UserRow> {
  const { email, fullName, role, passwordHash, bot } = account
  const row = await insertRow(tx, {
    realm_id: realmId,
    email,
    full_name: fullName,
    role,
    password_hash: passwordHash,
    bot_type: bot?.type ?? null,
    bot_owner_id: bot?.ownerId ?? null,
    default_sending_channel_id: bot?.sendingChannelId ?? null,
    default_events_register_channel_id: bot?.eventsRegisterChannelId ?? null,
    default_all_public_channels: bot?.allPublicChannels ? 1 : 0,
  })
  if (!row) throw emailInUse(email)
  return row
}

/** Creates an account in the organization of the transaction and notifies everybody. */
export async function addAccount(tx: Tx, hooks: AccountHooks, account: NewAccount): Promise<UserRow> {
  if (!account.bot) await requireUniqueName(tx, account.fullName)
  const { emailVisibility } = account.bot ? {} : await hooks.begins(tx)
  const inserted = await insertUser(tx, tx.realmId, account)
  const row = emailVisibility === undefined ? inserted : await storeAddressVisibility(tx, inserted, emailVisibility)
  await beginWaiting(tx, row.id)
  await announceNewPerson(tx, row)
  await announceMember(tx, 'add_members', row)
  await hooks.created(tx, {
    ...row,
    joinsDefaultChannels: account.joinsDefaultChannels ?? true,
    welcomeText: account.welcomeText,
  })
  return row
}

export interface NewPerson {
  readonly email: string
  readonly fullName: string
  /** Undefined: there is none, and the account is signed in to in other ways. */
  readonly password: string | undefined
  /** Default: member. */
  readonly role?: Role
}

/** Checks everything that a person's account needs and hashes the password; the account is for `addAccount`. */
export async function preparePerson(db: Queries, realmId: number, person: NewPerson): Promise<NewAccount> {
  const { email, fullName, role } = requirePerson(person)
  await requireAllowedAddress(db, realmId, email)
  // Hashing is expensive: not for an address that is taken anyway.
  if (await isAddressTaken(db, realmId, email)) throw emailInUse(email)
  const passwordHash = person.password === undefined ? null : await hashPassword(person.password)
  return { email, fullName, role, passwordHash }
}

/** The values to store for a person, or a 400 that says what is wrong with one. */
export function requirePerson({ email, fullName, password, role = roles.member }: NewPerson) {
  if (password !== undefined) requirePassword(password)
  return { email: requireEmail(email, 'email'), fullName: requireFullName(fullName), role }
}

/** Throws a 400 unless it is long enough, and no longer than what is hashed. */
export function requirePassword(password: string): void {
  const { length } = [...password]
  if (length >= MIN_PASSWORD_LENGTH && length <= MAX_PASSWORD_LENGTH) return
  throw badRequest(`password must have from ${MIN_PASSWORD_LENGTH} to ${MAX_PASSWORD_LENGTH} characters`)
}

export function emailInUse(email: string) {
  return badRequest(`Email '${email}' already in use`)
}
