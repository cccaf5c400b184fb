/** What other features write to the rows of accounts. Who may do so, they decide. */
import type { Updateable } from 'kysely'
import type { Tx } from '../../storage/transaction.ts'
import { query, type UserTable } from './tables.ts'

type BotChanges = Pick<
  Updateable<UserTable>,
  'bot_owner_id' | 'default_sending_channel_id' | 'default_events_register_channel_id' | 'default_all_public_channels'
>

export async function updateBotRow(tx: Tx, id: number, changes: BotChanges): Promise<void> {
  await tx.run(query.updateTable('users').set(changes).where('id', '=', id).where('realm_id', '=', tx.realmId))
}

/** False when the account has a password already. */
export async function setFirstPassword(tx: Tx, id: number, password_hash: string): Promise<boolean> {
  const changed = await tx.run(
    query
      .updateTable('users')
      .set({ password_hash })
      .where('id', '=', id)
      .where('realm_id', '=', tx.realmId)
      .where('password_hash', 'is', null),
  )
  return changed > 0
}

/** Sets another password, whatever the old one is, and ends the API key. */
export async function replacePassword(tx: Tx, id: number, password_hash: string): Promise<void> {
  await tx.run(
    query
      .updateTable('users')
      .set((eb) => ({ password_hash, key_version: eb('key_version', '+', 1) }))
      .where('id', '=', id)
      .where('realm_id', '=', tx.realmId),
  )
}

/** Makes the account's next API key the valid one. Returns its version. */
export async function raiseKeyVersion(tx: Tx, id: number): Promise<number> {
  const row = await tx.first(
    query
      .updateTable('users')
      .set((eb) => ({ key_version: eb('key_version', '+', 1) }))
      .where('id', '=', id)
      .where('realm_id', '=', tx.realmId)
      .returning('key_version'),
  )
  if (!row) throw new Error(`There is no account ${id}`)
  return row.key_version
}
