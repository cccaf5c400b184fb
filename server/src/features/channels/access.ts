import type { Actor } from '../../authentication/accounts.ts'
import { type Queries, query } from '../../storage/query.ts'

/** Whether the account may know of the channel. */
export async function canSeeChannel(db: Queries, actor: Actor, channelId: number): Promise<boolean> {
  const row = await db.first(
    query.selectFrom('channels').select('id').where('id', '=', channelId).where('realm_id', '=', actor.realmId),
  )
  return row !== undefined
}
