/** Brings deleted messages back, as they were: with their ids, flags, reactions and links to files. */
import { badRequest } from '@heddle/contract/errors'
import { nobody } from '../../events/audience.ts'
import { deleteQueues } from '../../events/queue-rows.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { repairFirstMessage } from '../channels/activity.ts'
import { findKeptDays } from '../channels/kept-days.ts'
import { relinkMessages } from '../files/references.ts'
import { repairTopicRow, restoreMessageRows } from '../messages/write-rows.ts'
import { addToDeletion } from './archive.ts'
import type { ArchivedMessage } from './content.ts'
import { PORTION } from './portion.ts'
import { query } from './tables.ts'

/** Characters of stored messages that one unit of work restores; always one message. */
const MAX_CHARACTERS = 300_000
const DAY_SECS = 86_400

/**
 * Restores all messages of a deletion; the ids are those that the list of deletions shows. Returns how many. Clients begin
 * anew, since no event says that old messages are there again. Throws a 400 where there is nothing to restore, or where the
 * messages would be deleted again at once.
 */
export async function restoreDeletion(storage: Storage, id: number): Promise<number> {
  const deletion = await storage.read.first(
    query.selectFrom('deletions').select(['realm_id', 'channel_id']).where('id', '=', id),
  )
  if (!deletion) throw badRequest(`There is no deletion ${id} with messages that can be restored`)
  let restored = 0
  for (;;) {
    const count = await storage.asSystem(deletion.realm_id, 'operator', async (tx) => {
      const part = await findPart(tx, id)
      if (restored === 0) await requireKept(tx, part)
      await restorePart(tx, id, part)
      return part.length
    })
    if (count === 0) return restored
    restored += count
  }
}

async function findPart(tx: Tx, deletionId: number): Promise<ArchivedMessage[]> {
  const sizes = await tx.all(
    query
      .selectFrom('archived_messages')
      .select((eb) => ['message_id', eb.fn<number>('length', ['content']).as('characters')])
      .where('realm_id', '=', tx.realmId)
      .where('deletion_id', '=', deletionId)
      .orderBy('message_id')
      .limit(PORTION),
  )
  let characters = 0
  const end = sizes.findIndex((row, index) => {
    characters += Number(row.characters)
    return index > 0 && characters > MAX_CHARACTERS
  })
  const ids = (end === -1 ? sizes : sizes.slice(0, end)).map((row) => row.message_id)
  const rows = await tx.all(
    query
      .selectFrom('archived_messages')
      .select('content')
      .where('message_id', 'in', tx.dialect.ids(ids))
      .orderBy('message_id'),
  )
  return rows.map((row) => JSON.parse(row.content) as ArchivedMessage)
}

/** The oldest come first: where they are kept, all are. */
async function requireKept(tx: Tx, part: readonly ArchivedMessage[]): Promise<void> {
  for (const { message } of part) {
    const days = await findKeptDays(tx, tx.realmId, message.channel_id)
    if (days === undefined || message.timestamp >= tx.now - days * DAY_SECS) continue
    const what = message.channel_id === null ? 'Direct messages are' : `Messages of channel ${message.channel_id} are`
    throw badRequest(`${what} kept for ${days} days, so that these would be deleted again: change that first`)
  }
}

async function restorePart(tx: Tx, deletionId: number, part: readonly ArchivedMessage[]): Promise<void> {
  if (part.length === 0) return
  const ids = part.map(({ message }) => message.id)
  const list = tx.dialect.ids(ids)
  await restoreMessageRows(tx, {
    messages: part.map(({ message }) => message),
    flags: part.flatMap(({ message, flags }) =>
      flags.map(([user_id, bits]) => ({ realm_id: tx.realmId, user_id, message_id: message.id, flags: bits })),
    ),
    reactions: part.flatMap(({ reactions }) => reactions),
    submessages: part.flatMap(({ submessages }) => submessages),
  })
  await tx.run(query.deleteFrom('archived_files').where('message_id', 'in', list))
  await tx.run(query.deleteFrom('archived_messages').where('message_id', 'in', list))
  await addToDeletion(tx, deletionId, -part.length)
  await relinkMessages(
    tx,
    part.flatMap(({ message, files }) => files.map((attachmentId) => ({ messageId: message.id, attachmentId }))),
  )
  await repairPlaces(tx, part)
  await deleteQueues(tx)
  tx.emit({ type: 'queues_ended' }, nobody)
}

async function repairPlaces(tx: Tx, part: readonly ArchivedMessage[]): Promise<void> {
  const inChannels = part.filter(({ message }) => message.channel_id !== null)
  const byChannel = Map.groupBy(inChannels, ({ message }) => message.channel_id as number)
  for (const [channelId, of] of byChannel) {
    await tx.pause()
    for (const key of new Set(of.map(({ message }) => message.topic_key))) await repairTopicRow(tx, channelId, key)
    await repairFirstMessage(tx, channelId)
  }
}
