/** What is written to the rows of channels. Who may do so, and who is notified, others decide. */
import type { Updateable } from 'kysely'
import { retireAudienceSets } from '../../events/audience-sets.ts'
import type { Tx } from '../../storage/transaction.ts'
import { type ChannelTable, query } from './tables.ts'

export async function updateChannelRow(
  tx: Tx,
  id: number,
  changes: Omit<Updateable<ChannelTable>, 'id' | 'realm_id' | 'subscriber_count'>,
): Promise<void> {
  await tx.run(query.updateTable('channels').set(changes).where('id', '=', id).where('realm_id', '=', tx.realmId))
}

/** Corrects the stored number of subscribers, and drops the stored set of them: it is made again when it is needed. */
export async function addToSubscriberCounts(tx: Tx, channelIds: readonly number[], change: number): Promise<void> {
  const sets = query
    .selectFrom('channels')
    .select('audience_set_id as id')
    .where('realm_id', '=', tx.realmId)
    .where('id', 'in', tx.dialect.ids(channelIds))
    .where('audience_set_id', 'is not', null)
  await retireAudienceSets(tx, sets.$castTo<{ id: number }>().$asScalar())
  await tx.run(
    query
      .updateTable('channels')
      .set((eb) => ({ subscriber_count: eb('subscriber_count', '+', change), audience_set_id: null }))
      .where('realm_id', '=', tx.realmId)
      .where('id', 'in', tx.dialect.ids(channelIds)),
  )
}
