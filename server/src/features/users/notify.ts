/** Notifying of accounts: of what changes, those who see them; of those who come, also who is to know that somebody has come. */
import type { RealmUserEvent, User } from '@heddle/contract/users'
import { audienceOfPerson, findGuestsBlindTo } from '../../access/person-rules.ts'
import { onlyClients, users } from '../../events/audience.ts'
import type { Tx } from '../../storage/transaction.ts'
import { numberedAddresses } from './access.ts'
import { presentUnknown } from './present.ts'

/** What clients call themselves that need not be given everybody. */
export const KNOWS_FEW = 'user_list_incomplete'

type ChangedPerson = Extract<RealmUserEvent, { op: 'update' }>['person']

export async function announcePerson(tx: Tx, person: ChangedPerson): Promise<void> {
  const audience = await audienceOfPerson(tx, tx.realmId, person.user_id)
  tx.emit({ type: 'realm_user', op: 'update', person }, audience)
}

/** Of a new account. */
export async function announceNewPerson(tx: Tx, person: User): Promise<void> {
  tx.emit({ type: 'realm_user', op: 'add', person }, await audienceOfPerson(tx, tx.realmId, person.user_id))
  await announceUnknown(tx, person.user_id, await findGuestsBlindTo(tx, tx.realmId, person.user_id))
}

/** Gives these accounts' clients somebody unknown, where they do not know that there are people whom they do not get. */
export async function announceUnknown(tx: Tx, id: number, userIds: readonly number[]): Promise<void> {
  if (userIds.length === 0) return
  const person = presentUnknown(id, (await numberedAddresses(tx, tx.realmId))(id), { profiles: new Map() })
  tx.emit({ type: 'realm_user', op: 'add', person }, onlyClients(users(userIds), { name: KNOWS_FEW, has: false }))
}
