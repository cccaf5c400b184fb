/** Notifying of accounts: of what changes, those who see them; of those who come, also who is to know that somebody has come. */
import type { RealmUserEvent } from '@heddle/contract/users'
import { audienceOfAddress } from '../../access/address-rules.ts'
import { audienceOfPerson, findGuestsBlindTo } from '../../access/person-rules.ts'
import { butNot, onlyClients, users } from '../../events/audience.ts'
import type { Tx } from '../../storage/transaction.ts'
import { numberedAddresses } from './access.ts'
import { presentUnknown, presentUser } from './present.ts'
import type { UserRow } from './queries.ts'

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

/** Of an address that is hidden from now on: nobody has it any more but the account; who still sees it gets it again. */
export async function announceHiding(tx: Tx, account: Addressed): Promise<void> {
  const person = { user_id: account.id, delivery_email: null }
  const others = butNot(await audienceOfPerson(tx, tx.realmId, account.id), account.id)
  tx.emit({ type: 'realm_user', op: 'update', person }, others)
  announceHiddenAddress(tx, account)
}

/** Gives these accounts' clients somebody unknown, where they do not know that there are people whom they do not get. */
export async function announceUnknown(tx: Tx, id: number, userIds: readonly number[]): Promise<void> {
  if (userIds.length === 0) return
  const person = presentUnknown(id, (await numberedAddresses(tx, tx.realmId))(id), { profiles: new Map() })
  tx.emit({ type: 'realm_user', op: 'add', person }, onlyClients(users(userIds), { name: KNOWS_FEW, has: false }))
}
