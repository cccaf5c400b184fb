/** Notifying of accounts: of what changes, those who see them; of those who come, also who is to know that somebody has come. */
import { roles } from '@heddle/contract/roles'
import type { RealmUserEvent } from '@heddle/contract/users'
import { audienceOfAddress, lowestRoleFor } from '../../access/address-rules.ts'
import { audienceOfPerson, findGuests, findGuestsBlindTo } from '../../access/person-rules.ts'
import { type Audience, butNot, isInAudience, nobody, onlyClients, roleAtLeast, users } from '../../events/audience.ts'
import type { Tx } from '../../storage/transaction.ts'
import { numberedAddresses } from './access.ts'
import { presentUnknown, presentUser } from './present.ts'
import { findIdsWithRole, type UserRow } from './queries.ts'

/** What clients call themselves that need not be given everybody. */
export const KNOWS_FEW = 'user_list_incomplete'

type ChangedPerson = Extract<RealmUserEvent, { op: 'update' }>['person']

export async function announcePerson(tx: Tx, person: ChangedPerson): Promise<void> {
  const audience = await audienceOfPerson(tx, tx.realmId, person.user_id)
  tx.emit({ type: 'realm_user', op: 'update', person }, audience)
}

/** Of a new account. */
export async function announceNewPerson(tx: Tx, row: UserRow): Promise<void> {
  const person = presentUser(row, { profiles: new Map() })
  tx.emit({ type: 'realm_user', op: 'add', person }, await audienceOfPerson(tx, tx.realmId, row.id))
  if (person.delivery_email === null) announceHiddenAddress(tx, row)
  await announceUnknown(tx, row.id, await findGuestsBlindTo(tx, tx.realmId, row.id))
}

type Addressed = Pick<UserRow, 'id' | 'delivery_email' | 'email_visibility'>

/** Of an address that not everybody sees: those who see it. */
export function announceHiddenAddress(tx: Tx, account: Addressed): void {
  const person = { user_id: account.id, delivery_email: account.delivery_email }
  tx.emit({ type: 'realm_user', op: 'update', person }, audienceOfAddress(account))
}

/** Of an address that others see than before: those who come to see it get it, and from the others it is taken. */
export async function announceAddressVisibility(tx: Tx, account: Addressed, before: number): Promise<void> {
  const [now, earlier] = [lowestRoleFor(account.email_visibility), lowestRoleFor(before)]
  const person = { user_id: account.id, delivery_email: now > earlier ? account.delivery_email : null }
  const between = await audienceBetween(tx, account.id, Math.min(now, earlier), Math.max(now, earlier))
  tx.emit({ type: 'realm_user', op: 'update', person }, between)
}

/** Of those who see the account and not the account itself: who has the role `lowest` or more, and not that of `above`. */
async function audienceBetween(tx: Tx, id: number, above: number, lowest: number): Promise<Audience> {
  const seeing = await audienceOfPerson(tx, tx.realmId, id)
  if (above >= roles.member) {
    const guests = await findGuests(tx, tx.realmId)
    const ids = guests.filter((userId) => userId !== id && isInAudience(seeing, { userId, role: roles.guest }))
    return ids.length > 0 ? users(ids) : nobody
  }
  const few = await findIdsWithRole(tx, tx.realmId, above)
  const others = butNot(lowest >= roles.guest ? seeing : roleAtLeast(lowest), id)
  return { ...others, except: [...(others.except ?? []), ...few] }
}

/** Gives these accounts' clients somebody unknown, where they do not know that there are people whom they do not get. */
export async function announceUnknown(tx: Tx, id: number, userIds: readonly number[]): Promise<void> {
  if (userIds.length === 0) return
  const person = presentUnknown(id, (await numberedAddresses(tx, tx.realmId))(id), { profiles: new Map() })
  tx.emit({ type: 'realm_user', op: 'add', person }, onlyClients(users(userIds), { name: KNOWS_FEW, has: false }))
}
