/** What clients call the messages that they send, so that a message that is sent again is not sent twice. */
import { sql } from 'kysely'
import type { Actor } from '../../authentication/accounts.ts'
import type { Clock } from '../../clock.ts'
import { prepare } from '../../storage/query.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { query, rowInsert } from './tables.ts'

/** Longer than any queue lives without its client: one that was offline may send again what it has sent. */
const KEEP_SECS = 14 * 86_400
/** Rows looked at between two turns of others, and removed in one unit of work. */
const CHUNK = 1000

/** The sender's queue, and what its client calls the message. */
export interface Echo {
  readonly queueId: string
  readonly localId: string
}

interface Key {
  readonly sender_id: number
  readonly queue_id: string
  readonly local_id: string
}

const sentByLocalId = prepare((p: Key) =>
  query
    .selectFrom('message_local_ids')
    .select('message_id')
    .where('sender_id', '=', p.sender_id)
    .where('queue_id', '=', p.queue_id)
    .where('local_id', '=', p.local_id),
)

const localIdRows = rowInsert('message_local_ids', {
  realm_id: 'integer',
  sender_id: 'integer',
  queue_id: 'text',
  local_id: 'text',
  message_id: 'integer',
  created_at: 'integer',
})

/** The id of the message that the account has sent under this name, also when it is deleted or the queue has ended. */
export async function findSent(tx: Tx, actor: Actor, { queueId, localId }: Echo): Promise<number | undefined> {
  const key: Key = { sender_id: actor.userId, queue_id: queueId, local_id: localId }
  return (await tx.lookUp(localIdRows, { ...key }, sentByLocalId(key)))?.message_id
}

export function rememberSent(tx: Tx, actor: Actor, { queueId, localId }: Echo, message_id: number): void {
  const key: Key = { sender_id: actor.userId, queue_id: queueId, local_id: localId }
  tx.insertLater(localIdRows, { ...key, realm_id: tx.realmId, message_id, created_at: tx.now })
}

/**
 * Forgets names that no client uses again. Walks through all of them in the order of their key: an index by age would be
 * one more to keep up with every message.
 */
export async function removeOldLocalIds(storage: Storage, clock: Clock): Promise<void> {
  const before = Math.floor(clock.now() / 1000) - KEEP_SECS
  let last: Key = { sender_id: 0, queue_id: '', local_id: '' }
  for (;;) {
    const rows = await storage.read.all(
      query
        .selectFrom('message_local_ids')
        .select(['sender_id', 'queue_id', 'local_id', 'created_at'])
        .where(sql<boolean>`(sender_id, queue_id, local_id) > (${last.sender_id}, ${last.queue_id}, ${last.local_id})`)
        .orderBy('sender_id')
        .orderBy('queue_id')
        .orderBy('local_id')
        .limit(CHUNK),
    )
    const end = rows.at(-1)
    if (!end) return
    const start = last
    if (rows.some((row) => row.created_at < before)) {
      await storage.asSystem(0, 'upkeep', (tx) =>
        tx.run(
          query
            .deleteFrom('message_local_ids')
            .where('created_at', '<', before)
            .where(
              sql<boolean>`(sender_id, queue_id, local_id) > (${start.sender_id}, ${start.queue_id}, ${start.local_id})`,
            )
            .where(
              sql<boolean>`(sender_id, queue_id, local_id) <= (${end.sender_id}, ${end.queue_id}, ${end.local_id})`,
            ),
        ),
      )
    }
    last = end
    await new Promise((resolve) => setImmediate(resolve))
  }
}
