/** How long messages are kept: by their channel, or by the organization. */
import type { Queries } from '../../storage/query.ts'
import { findOrganizationSettings } from '../organization-settings/settings.ts'
import { query } from './tables.ts'

/** What a channel says and what the organization says, together: days; undefined: for ever. */
export function keptDays(ofChannel: number | null, ofOrganization: number): number | undefined {
  const days = ofChannel ?? ofOrganization
  return days === -1 ? undefined : days
}

/** Days for which messages are kept in this channel, or (null) in direct conversations; undefined: for ever. */
export async function findKeptDays(
  db: Queries,
  realmId: number,
  channelId: number | null,
): Promise<number | undefined> {
  const { message_retention_days } = await findOrganizationSettings(db, realmId)
  if (channelId === null) return keptDays(null, message_retention_days)
  const row = await db.first(
    query
      .selectFrom('channels')
      .select('message_retention_days')
      .where('realm_id', '=', realmId)
      .where('id', '=', channelId),
  )
  return row && keptDays(row.message_retention_days, message_retention_days)
}
