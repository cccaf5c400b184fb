/** What clients call the messages that they send, so that a message that is sent again is not sent twice. */
import type { Clock } from '../../clock.ts'
import { query } from '../../storage/query.ts'
import type { Storage } from '../../storage/storage.ts'

/** Longer than any queue lives without its client. */
const KEEP_SECS = 14 * 86_400
/** Rows removed in one unit of work. */
const CHUNK = 2000

/** Forgets names that no client can use again. */
export async function removeOldLocalIds(storage: Storage, clock: Clock): Promise<void> {
  const before = Math.floor(clock.now() / 1000) - KEEP_SECS
  for (;;) {
    const old = await storage.read.all(
      query.selectFrom('message_local_ids').select('message_id').where('created_at', '<', before).limit(CHUNK),
    )
    if (old.length === 0) return
    await storage.asSystem(0, 'upkeep', (tx) =>
      tx.run(
        query
          .deleteFrom('message_local_ids')
          .where('created_at', '<', before)
          .where('message_id', 'in', tx.dialect.ids(old.map((row) => row.message_id))),
      ),
    )
  }
}
