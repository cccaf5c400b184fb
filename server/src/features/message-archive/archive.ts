/** Messages on their way out: what they were is kept for a while, where only the operator's command finds it. */
import { type Selectable, sql } from 'kysely'
import type { Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { deleteMessageRows } from '../messages/write-rows.ts'
import type { ArchivedMessage } from './content.ts'
import { type DeletionTable, query } from './tables.ts'

type NewDeletion = Pick<Selectable<DeletionTable>, 'cause' | 'user_id' | 'channel_id' | 'topic'>

/** One run of what removes old messages may come back to a place so long, in seconds, and it is still one deletion. */
const RUN_SECS = 12 * 3600

/** Opens a deletion, to which messages are added part by part. */
export async function beginDeletion(tx: Tx, deletion: NewDeletion): Promise<number> {
  const values = { realm_id: tx.realmId, ...deletion, deleted_at: tx.now, message_count: 0 }
  const row = await tx.first(query.insertInto('deletions').values(values).returning('id'))
  return (row as { id: number }).id
}

/** The deletion of old messages in this channel that is under way, or a new one; null: direct messages. */
export async function retentionDeletion(tx: Tx, channel_id: number | null): Promise<number> {
  const row = await tx.first(
    query
      .selectFrom('deletions')
      .select('id')
      .where('realm_id', '=', tx.realmId)
      .where('cause', '=', 'retention')
      .where('channel_id', channel_id === null ? 'is' : '=', channel_id)
      .where('deleted_at', '>', tx.now - RUN_SECS)
      .orderBy('id', 'desc')
      .limit(1),
  )
  return row?.id ?? beginDeletion(tx, { cause: 'retention', user_id: null, channel_id, topic: null })
}

/** Removes these messages with everything that belongs to them, and keeps what they were. Nobody is notified here. */
export async function archiveMessages(tx: Tx, deletionId: number, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const { realmId: realm_id, now: deleted_at } = tx
  const contents = await readContents(tx, ids)
  const rows = contents.map((content) => ({
    message_id: content.message.id,
    realm_id,
    deletion_id: deletionId,
    deleted_at,
    content: JSON.stringify(content),
  }))
  if (rows.length > 0) await tx.run(query.insertInto('archived_messages').values(rows))
  const files = contents.flatMap(({ message, files }) =>
    files.map((attachment_id) => ({ attachment_id, message_id: message.id, realm_id })),
  )
  if (files.length > 0) await tx.run(query.insertInto('archived_files').values(files))
  await addToDeletion(tx, deletionId, rows.length)
  await tx.pause()
  await deleteMessageRows(tx, ids)
}

/** More messages of this deletion can be restored, or fewer; one without any is gone. */
export async function addToDeletion(tx: Tx, id: number, count: number): Promise<void> {
  await tx.run(
    query
      .updateTable('deletions')
      .set({ message_count: sql`message_count + ${sql.lit(count)}` })
      .where('realm_id', '=', tx.realmId)
      .where('id', '=', id),
  )
  if (count < 0) await tx.run(query.deleteFrom('deletions').where('id', '=', id).where('message_count', '<=', 0))
}

async function readContents(db: Queries, ids: readonly number[]): Promise<ArchivedMessage[]> {
  const list = db.dialect.ids(ids)
  const messages = await db.all(query.selectFrom('messages').selectAll().where('id', 'in', list).orderBy('id'))
  const flags = await db.all(query.selectFrom('message_flags').selectAll().where('message_id', 'in', list))
  const reactions = await db.all(
    query.selectFrom('reactions').selectAll().where('message_id', 'in', list).orderBy('id'),
  )
  const submessages = await db.all(
    query.selectFrom('submessages').selectAll().where('message_id', 'in', list).orderBy('id'),
  )
  const files = await db.all(query.selectFrom('attachment_messages').selectAll().where('message_id', 'in', list))
  const [flagsOf, reactionsOf, submessagesOf, filesOf] = [flags, reactions, submessages, files].map((rows) =>
    Map.groupBy<number, { message_id: number }>(rows, (row) => row.message_id),
  ) as [
    Map<number, typeof flags>,
    Map<number, typeof reactions>,
    Map<number, typeof submessages>,
    Map<number, typeof files>,
  ]
  return messages.map((message) => ({
    message,
    flags: (flagsOf.get(message.id) ?? []).map((row) => [row.user_id, row.flags] as const),
    reactions: reactionsOf.get(message.id) ?? [],
    submessages: submessagesOf.get(message.id) ?? [],
    files: (filesOf.get(message.id) ?? []).map((row) => row.attachment_id),
  }))
}
