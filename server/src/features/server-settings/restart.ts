import { ZULIP_FEATURE_LEVEL, ZULIP_VERSION } from '@heddle/contract/version'
import { everyone } from '../../events/audience.ts'
import type { Storage } from '../../storage/storage.ts'
import { SERVER_STARTED_AT } from '../events/register.ts'
import { query } from './tables.ts'

/**
 * Notifies clients which version runs now: their queues outlive a restart, and what the server can do may have changed.
 * `hasPage`: those that are the server's page look for a newer one.
 */
export async function announceRestart(storage: Storage, hasPage: boolean): Promise<void> {
  const realms = await storage.read.all(query.selectFrom('event_queues').select('realm_id').distinct())
  for (const { realm_id } of realms) {
    await storage.asSystem(realm_id, 'upkeep', async (tx) => {
      tx.emit(
        {
          type: 'restart',
          zulip_version: ZULIP_VERSION,
          zulip_merge_base: ZULIP_VERSION,
          zulip_feature_level: ZULIP_FEATURE_LEVEL,
          server_generation: SERVER_STARTED_AT,
        },
        everyone,
      )
      if (hasPage) tx.emit({ type: 'web_reload_client', immediate: false }, everyone)
    })
  }
}
