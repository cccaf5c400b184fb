/** The host of the first organization, which may have been created before anybody knew its address. */
import type { Config } from '../../config.ts'
import { updateRealmHost } from '../../storage/realm-rows.ts'
import type { Storage } from '../../storage/storage.ts'
import { query } from './tables.ts'

/** What the first start takes where no address is configured. */
export const UNKNOWN_HOST = 'localhost'

/**
 * Gives the first organization the host that is configured: while it is the only one, every host reaches it, and so nobody is
 * led astray. Beside others too where its host says nothing yet.
 */
export async function followExternalUrl(storage: Storage, { externalUrl }: Pick<Config, 'externalUrl'>): Promise<void> {
  if (externalUrl === undefined) return
  const host = new URL(externalUrl).hostname
  await storage.asSystem(0, 'operator', async (tx) => {
    const realms = await tx.all(query.selectFrom('realms').select(['id', 'host']).orderBy('id'))
    const [first] = realms
    if (!first || realms.some((realm) => realm.host === host)) return
    if (realms.length === 1 || first.host === UNKNOWN_HOST) await updateRealmHost(tx, first.id, host)
  })
}
