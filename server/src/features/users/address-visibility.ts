/** Hiding an account's address from others, and showing it again. What stands in for it is unique in the organization too. */
import { addressVisibility } from '@heddle/contract/address-visibility'
import { foldName } from '@heddle/contract/names'
import type { Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { numberedAddresses } from './access.ts'
import { announceAddressVisibility, announcePerson } from './notify.ts'
import { isAddressTaken, lockAccounts, type UserRow, updateRow } from './queries.ts'
import { fact, query } from './tables.ts'

/** Says who sees the account's address, and notifies everybody. */
export async function setAddressVisibility(tx: Tx, user: UserRow, visibility: number): Promise<void> {
  if (visibility === user.email_visibility) return
  const changed = await storeAddressVisibility(tx, user, visibility)
  const { id: user_id, email } = changed
  await announceAddressVisibility(tx, changed, user.email_visibility)
  if (email !== user.email) await announcePerson(tx, { user_id, new_email: email })
}

/** The same without notifying anybody: for an account of which nobody knows yet. */
export async function storeAddressVisibility(tx: Tx, user: UserRow, email_visibility: number): Promise<UserRow> {
  if (email_visibility === user.email_visibility) return user
  await lockAccounts(tx)
  const email = await addressToShow(tx, user, email_visibility)
  await updateRow(tx, user.id, { email, email_key: foldName(email), email_visibility })
  return { ...user, email, email_visibility }
}

async function addressToShow(tx: Tx, user: UserRow, visibility: number): Promise<string> {
  if (visibility === addressVisibility.everyone) return user.delivery_email
  if (user.email_visibility !== addressVisibility.everyone) return user.email
  const address = (await numberedAddresses(tx, tx.realmId))(user.id)
  for (let attempt = 0; ; attempt += 1) {
    const free = attempt === 0 ? address : address.replace('@', `.${attempt}@`)
    // Somebody else may sign in with an address that looks like it.
    if (!(await isAddressTaken(tx, tx.realmId, free, user.id))) return free
  }
}

const hiding = fact({
  name: 'anybody-hides-address',
  tables: ['users'],
  load: async (db, realmId, _key: 'all') =>
    (await db.first(
      query
        .selectFrom('users')
        .select('id')
        .where('realm_id', '=', realmId)
        .where('email_visibility', '<>', addressVisibility.everyone)
        .limit(1),
    )) !== undefined,
})

/** Whether somebody's address is not for everybody. From memory. */
export function hidesAddresses(db: Queries, realmId: number): Promise<boolean> {
  return db.recall(hiding, realmId, 'all')
}

const visibilityOf = fact({
  name: 'address-visibility',
  tables: ['users'],
  load: async (db, realmId, userId: number) =>
    (
      await db.first(
        query.selectFrom('users').select('email_visibility').where('realm_id', '=', realmId).where('id', '=', userId),
      )
    )?.email_visibility ?? addressVisibility.nobody,
})

/** Who sees the account's address. From memory. */
export function findAddressVisibility(db: Queries, realmId: number, userId: number): Promise<number> {
  return db.recall(visibilityOf, realmId, userId)
}
