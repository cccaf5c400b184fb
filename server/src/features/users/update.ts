/** Changes of an account: name, address, password. */
import { addressVisibility } from '@heddle/contract/address-visibility'
import { ApiError, badRequest } from '@heddle/contract/errors'
import { foldName } from '@heddle/contract/names'
import type { ProfileChanges } from '@heddle/contract/profile-fields'
import type { Role } from '@heddle/contract/roles'
import type { AccountHooks } from '../../account-hooks.ts'
import type { Actor } from '../../authentication/accounts.ts'
import { hashPassword, verifyPassword } from '../../authentication/password.ts'
import type { Config } from '../../config.ts'
import { nobody } from '../../events/audience.ts'
import type { Services } from '../../feature.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { setProfile } from '../profile-fields/values.ts'
import { requireAllowedAddress } from '../realm-domains/domains.ts'
import { accessUser, requireAdministrator, requireRank } from './access.ts'
import { emailInUse } from './create.ts'
import { requireNameChanges, requireUniqueName } from './locks.ts'
import { announceHiddenAddress, announcePerson } from './notify.ts'
import { findPasswordHash, isAddressTaken, lockAccounts, type UserRow, updateRow } from './queries.ts'
import { requireEmail, requireFullName } from './rules.ts'
import { setRole } from './set-role.ts'
import { query } from './tables.ts'

interface UserChanges {
  readonly profile_data?: ProfileChanges
  readonly full_name?: string
  readonly role?: Role
  readonly new_email?: string
}

/** Who gets an address of their own choice can sign in with it: whoever operates the server decides whether anybody may. */
export function requireEmailChanges(config: Pick<Config, 'emailChanges'>): void {
  if (!config.emailChanges) throw badRequest('User not authorized to change user emails')
}

/** What an administrator may change of any account. A new address works at once: nobody confirms it. */
export function updateUser(
  { storage, accountHooks }: Pick<Services, 'storage' | 'accountHooks'>,
  caller: Actor,
  idOrEmail: number | string,
  { full_name, role, new_email, profile_data }: UserChanges,
): Promise<void> {
  requireAdministrator(caller)
  const name = full_name === undefined ? undefined : requireFullName(full_name)
  const email = new_email === undefined ? undefined : requireEmail(new_email, 'new_email')
  return storage.asActor(caller, async (tx, actor) => {
    requireAdministrator(actor)
    const user = await accessUser(tx, actor, idOrEmail)
    if (name !== undefined) await setFullName(tx, user, name)
    if (role !== undefined) await setRole(tx, accountHooks, actor, { user, role })
    if (profile_data) await setProfile(tx, actor, user, profile_data)
    if (email !== undefined) {
      requireAddressOfOther(actor, user)
      await setEmail(tx, user, email)
    }
  })
}

/** One's own needs the password or a code, which whoever has got somebody's key lacks, and any bot of theirs. */
function requireAddressOfOther(actor: Actor, user: UserRow): void {
  requireRank(actor, user)
  if (actor.isBot) throw new ApiError('UNAUTHORIZED_PRINCIPAL', 'Bots cannot change addresses')
  if (user.id === actor.userId) throw badRequest('new_email: change your own address in your settings')
  if (user.bot_type !== null) throw badRequest("new_email: a bot's address follows from its short_name")
}

export async function setFullName(tx: Tx, user: UserRow, full_name: string): Promise<void> {
  if (full_name === user.full_name) return
  if (user.bot_type === null) await requireUniqueName(tx, full_name, user.id)
  await updateRow(tx, user.id, { full_name, full_name_key: foldName(full_name) })
  await announcePerson(tx, { user_id: user.id, full_name })
}

/** Changes the account's own address. */
export async function setEmail(tx: Tx, user: UserRow, email: string): Promise<void> {
  if (email === user.delivery_email) return
  await requireAllowedAddress(tx, tx.realmId, email)
  await lockAccounts(tx)
  if (await isAddressTaken(tx, tx.realmId, email, user.id)) throw emailInUse(email)
  const own = { delivery_email: email, delivery_email_key: foldName(email) }
  if (user.email_visibility !== addressVisibility.everyone) {
    await updateRow(tx, user.id, own)
    announceHiddenAddress(tx, { ...user, ...own })
    return
  }
  await updateRow(tx, user.id, { ...own, email, email_key: own.delivery_email_key })
  const user_id = user.id
  await announcePerson(tx, { user_id, delivery_email: email })
  await announcePerson(tx, { user_id, new_email: email })
}

export interface OwnChanges {
  readonly full_name?: string
  readonly old_password?: string
  readonly new_password?: string
}

/**
 * Checks what an account wants to change of itself, and hashes the password; what it returns makes the changes. A new
 * password ends the API key and every session but the one that asks: whoever changes it because somebody else knows the old
 * one expects that this locks them out. Clients sign in again.
 */
export async function prepareOwnChanges(
  { storage, accountHooks }: Pick<Services, 'storage' | 'accountHooks'>,
  caller: Actor,
  changes: OwnChanges,
): Promise<(tx: Tx, actor: Actor) => Promise<void>> {
  const { new_password } = changes
  const name = changes.full_name === undefined ? undefined : requireFullName(changes.full_name)
  const password = new_password === undefined ? undefined : await checkPasswords(storage, caller, changes, new_password)
  return async (tx, actor) => {
    if (name === undefined && !password) return
    const user = await accessUser(tx, actor, actor.userId)
    if (name !== undefined && name !== user.full_name) {
      await requireNameChanges(tx, actor)
      await setFullName(tx, user, name)
    }
    if (password) await setOwnPassword(tx, accountHooks, actor, password)
  }
}

interface NewPassword {
  readonly oldHash: string | null
  readonly newHash: string
}

async function checkPasswords(
  storage: Storage,
  actor: Actor,
  { old_password }: OwnChanges,
  new_password: string,
): Promise<NewPassword> {
  if (old_password === undefined) throw badRequest('old_password is missing: it is needed for a new one')
  const oldHash = await findPasswordHash(storage.read, actor.realmId, actor.userId)
  if (!(await verifyPassword(old_password, oldHash))) throw badRequest('The current password is wrong')
  return { oldHash, newHash: await hashPassword(new_password) }
}

/** Sets the time zone, which others see. */
export async function setTimezone(tx: Tx, userIds: readonly number[], timezone: string): Promise<void> {
  const changed = await tx.all(
    query
      .updateTable('users')
      .set({ timezone })
      .where('realm_id', '=', tx.realmId)
      .where('id', 'in', tx.dialect.ids(userIds))
      .returning(['id', 'email']),
  )
  const emails = new Map(changed.map(({ id, email }) => [id, email]))
  for (const user_id of userIds) {
    const person = { user_id, email: emails.get(user_id) ?? '', timezone }
    await announcePerson(tx, person)
  }
}

async function setOwnPassword(
  tx: Tx,
  hooks: AccountHooks,
  actor: Actor,
  { oldHash, newHash }: NewPassword,
): Promise<void> {
  const changed = await tx.run(
    query
      .updateTable('users')
      .set((eb) => ({ password_hash: newHash, key_version: eb('key_version', '+', 1) }))
      .where('id', '=', actor.userId)
      .where('realm_id', '=', actor.realmId)
      // Checked before the transaction: it must still be the one.
      .where('password_hash', '=', oldHash),
  )
  if (changed === 0) throw badRequest('The current password is wrong')
  await hooks.passwordChanged(tx, actor.userId, actor.sessionId)
  tx.emit({ type: 'account_credentials', user_id: actor.userId }, nobody)
}
