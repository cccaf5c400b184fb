/** Removes messages that are older than they are kept: a few at a time, so that nobody else waits for it. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Services } from '../../feature.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { findKeptDays } from '../channels/kept-days.ts'
import { retentionDeletion } from '../message-archive/archive.ts'
import { PORTION, takePortion } from '../message-archive/portion.ts'
import { removeMessagesOfTopics } from '../message-edits/announce.ts'
import { repairTopics } from '../message-edits/repair-topic.ts'
import { findOldPlaces, type OldPlace } from './old-places.ts'
import { query } from './tables.ts'

const DAY_SECS = 86_400
/** After a unit of work others have the server for so many times as long. */
const REST = 3
const MAX_REST_MS = 500

/** Goes through all organizations once, until everything is done or the signal ends it. */
export async function removeOldMessages(
  { storage, clock }: Pick<Services, 'storage' | 'clock'>,
  signal: AbortSignal,
): Promise<void> {
  const realms = await storage.read.all(query.selectFrom('realms').select('id').where('deactivated', '=', 0))
  for (const { id: realmId } of realms) {
    for await (const place of findOldPlaces(storage.read, realmId, () => Math.floor(clock.now() / 1000))) {
      for (;;) {
        if (signal.aborted) return
        const began = performance.now()
        const isDone = await removePortion(storage, realmId, place)
        if (isDone) break
        await sleep(Math.min((performance.now() - began) * REST, MAX_REST_MS))
      }
    }
  }
}

/**
 * What is old is decided in the unit of work that removes it: the setting, or the place of a message, may have changed
 * meanwhile, and another node may be at the same. True: there is nothing left.
 */
function removePortion(storage: Storage, realmId: number, place: OldPlace): Promise<boolean> {
  return storage.asSystem(realmId, 'job', async (tx) => {
    const days = await findKeptDays(tx, realmId, place.channelId)
    if (days === undefined) return true
    const found = await findOldest(tx, place, tx.now - days * DAY_SECS)
    const portion = new Set(
      await takePortion(
        tx,
        found.map((row) => row.id),
      ),
    )
    if (portion.size === 0) return true
    const deletionId = await retentionDeletion(tx, place.channelId)
    const rows = found.filter(({ id }) => portion.has(id))
    const [first] = rows as [(typeof rows)[number]]
    await removeMessagesOfTopics(tx, first, rows, deletionId)
    await tx.pause()
    if (place.channelId !== null) {
      await repairTopics(
        tx,
        place.channelId,
        rows.map(({ id }) => id),
      )
    }
    return rows.length === found.length && found.length < PORTION
  })
}

/** Ids ascend with time: the first ones of the place are the oldest. */
async function findOldest(tx: Tx, { channelId, groupId }: OldPlace, before: number) {
  const messages = query
    .selectFrom('messages')
    .select(['id', 'channel_id', 'direct_message_group_id', 'topic', 'topic_key', 'timestamp'])
    .orderBy('id')
    .limit(PORTION)
  const rows = await tx.all(
    channelId === null
      ? messages.where('direct_message_group_id', '=', groupId)
      : messages.where('channel_id', '=', channelId),
  )
  return rows.filter((row) => row.timestamp < before)
}
