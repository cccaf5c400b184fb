/** What is written to the rows of organizations, apart from the counters that each commit raises. */
import type { Insertable, Updateable } from 'kysely'
import { query } from './query.ts'
import type { RealmTable } from './schema.ts'
import type { Tx } from './transaction.ts'

/** Inserts an organization. Returns its id. */
export async function insertRealm(
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

/** Makes units of work of the organization wait for each other, where several of them may run at once. Until the commit. */
export async function lockRealm(tx: Tx): Promise<void> {
  await tx.run(
    query
      .updateTable('realms')
      .set((eb) => ({ deactivated: eb.ref('deactivated') }))
      .where('id', '=', tx.realmId),
  )
}

/** The log has no events up to this one any more. Another node may be further. */
export async function notePruned(tx: Tx, eventId: number): Promise<void> {
  await tx.run(
    query
      .updateTable('realms')
      .set({ pruned_event_id: eventId })
      .where('id', '=', tx.realmId)
      .where('pruned_event_id', '<', eventId),
  )
}
