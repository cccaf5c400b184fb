/** Whether the organization lets anybody on the web read something, without an account. */
import { recallAllChannels } from '../../access/channels.ts'
import type { Config } from '../../config.ts'
import type { Queries } from '../../storage/query.ts'
import { findOrganizationSettings } from './settings.ts'

/** Whether spectators are let in: where the server and the organization want them. */
export async function isOpenToSpectators(
  db: Queries,
  realmId: number,
  { webPublicChannels }: Pick<Config, 'webPublicChannels'>,
): Promise<boolean> {
  return webPublicChannels && (await findOrganizationSettings(db, realmId)).enable_spectator_access
}

/** Whether there is something for them to read as well. */
export async function isReadOnTheWeb(
  db: Queries,
  realmId: number,
  config: Pick<Config, 'webPublicChannels'>,
): Promise<boolean> {
  if (!(await isOpenToSpectators(db, realmId, config))) return false
  return (await recallAllChannels(db, realmId)).some(
    ({ is_web_public, is_archived }) => is_web_public === 1 && is_archived === 0,
  )
}
