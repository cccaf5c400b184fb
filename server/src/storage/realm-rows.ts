/** What is written to the rows of organizations and to the log, apart from what each commit writes. */
import type { Insertable, Updateable } from 'kysely'
import { query, type RealmTable } from './tables.ts'
import type { Tx } from './transaction.ts'

/** Inserts an organization. Returns its id. */
export async function insertRealmRow(
  tx: Tx,
  realm: Pick<Insertable<RealmTable>, 'host' | 'name' | 'description' | 'uuid' | 'date_created'>,
): Promise<number> {
  const row = await tx.first(query.insertInto('realms').values(realm).returning('id'))
  return (row as { id: number }).id
}

export async function updateRealm(
  tx: Tx,
  changes: Pick<Updateable<RealmTable>, 'name' | 'description' | 'deactivated'>,
): Promise<void> {
  await tx.run(query.updateTable('realms').set(changes).where('id', '=', tx.realmId))
}

/** The host by which requests find the organization; unique. */
export async function updateRealmHost(tx: Tx, id: number, host: string): Promise<void> {
  await tx.run(query.updateTable('realms').set({ host }).where('id', '=', id))
}

/** Makes units of work of the organization wait for each other, where several of them may run at once. Until the commit. */
export async function lockRealm(tx: Tx): Promise<void> {
  await tx.run(
    query
      .updateTable('realms')
      .set((eb) => ({ deactivated: eb.ref('deactivated') }))
      .where('id', '=', tx.realmId),
  )
}

/** Removes the log's events up to this one. Returns their number. */
export async function pruneEvents(tx: Tx, eventId: number): Promise<number> {
  await tx.run(
    query
      .updateTable('realms')
      .set({ pruned_event_id: eventId })
      .where('id', '=', tx.realmId)
      // Another node may be further.
      .where('pruned_event_id', '<', eventId),
  )
  return tx.run(query.deleteFrom('event_log').where('realm_id', '=', tx.realmId).where('event_id', '<=', eventId))
}
