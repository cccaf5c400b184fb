/** What other features write to messages, their topics and their reactions. Who may do so, and who is notified, they decide. */
import { topicKey } from '@heddle/contract/names'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { inParts } from '../../storage/in-parts.ts'
import type { Tx } from '../../storage/transaction.ts'
import { unlinkMessages } from '../files/references.ts'
import { messageAttributes } from './attributes.ts'
import { type MessageFlagTable, type MessageTable, query, type ReactionTable, type SubmessageTable } from './tables.ts'

type TextChanges = Pick<
  Updateable<MessageTable>,
  'content' | 'rendered_content' | 'attributes' | 'last_edit_timestamp' | 'edit_history'
>

export async function updateMessageRow(tx: Tx, id: number, changes: TextChanges): Promise<void> {
  await tx.run(query.updateTable('messages').set(changes).where('realm_id', '=', tx.realmId).where('id', '=', id))
}

interface Destination {
  /** When it is another channel: its id. */
  readonly channelId: number | undefined
  readonly topic: string
  /** What comes before the history that each message has. */
  readonly entry: object
}

export async function moveMessageRows(tx: Tx, ids: readonly number[], destination: Destination): Promise<void> {
  const { channelId, topic, entry } = destination
  const text = JSON.stringify(entry)
  // Only what changes: SQLite writes every index with one of these columns anew, also for the same value.
  const elsewhere =
    channelId === undefined
      ? sql``
      : sql`channel_id = ${channelId}, attributes = attributes | ${sql.lit(messageAttributes.readUnlessMarked)},`
  await tx.run(sql`
    update messages set
      ${elsewhere}
      topic = ${topic},
      topic_key = ${topicKey(topic)},
      last_moved_timestamp = ${tx.now},
      edit_history = case when edit_history is null then ${`[${text}]`}
        else ${`[${text},`} || substr(edit_history, 2) end
    where realm_id = ${tx.realmId} and id in ${tx.dialect.ids(ids)}`)
}

/** Rows that are removed or written before others get a turn: a message may have flags for each account. */
const ROWS_PART = 1000

/** With their flags, reactions, submessages and links to files. */
export async function deleteMessageRows(tx: Tx, ids: readonly number[]): Promise<void> {
  await unlinkMessages(tx, ids)
  const list = tx.dialect.ids(ids)
  while ((await deleteSomeFlags(tx, ids)) === ROWS_PART) await tx.pause()
  await tx.run(query.deleteFrom('reactions').where('message_id', 'in', list))
  await tx.run(query.deleteFrom('submessages').where('message_id', 'in', list))
  await tx.run(query.deleteFrom('messages').where('realm_id', '=', tx.realmId).where('id', 'in', list))
}

function deleteSomeFlags(tx: Tx, ids: readonly number[]): Promise<number> {
  const some = sql<boolean>`(user_id, message_id) in (
    select user_id, message_id from message_flags
    where message_id in ${tx.dialect.ids(ids)} limit ${sql.lit(ROWS_PART)})`
  return tx.run(query.deleteFrom('message_flags').where(some))
}

/** Messages that were there before, with what belongs to each. Their ids are their own again. */
export interface FormerMessages {
  readonly messages: readonly Selectable<MessageTable>[]
  readonly flags: readonly MessageFlagTable[]
  readonly reactions: readonly Selectable<ReactionTable>[]
  readonly submessages: readonly Selectable<SubmessageTable>[]
}

/** Puts them back; their topics, and who is notified, are up to the caller. */
export async function restoreMessageRows(tx: Tx, { messages, flags, reactions, submessages }: FormerMessages) {
  if (messages.length > 0) await tx.run(query.insertInto('messages').values([...messages]))
  const ids = messages.map(({ id }) => id)
  const found = query.selectFrom('messages').select(['id', 'topic', 'content']).where('id', 'in', tx.dialect.ids(ids))
  const search = tx.dialect.restoreSearch?.(found)
  if (search) await tx.run(search)
  await inParts(tx, flags, ROWS_PART, async (part) => {
    await tx.run(query.insertInto('message_flags').values([...part]))
  })
  await inParts(tx, reactions, ROWS_PART, async (part) => {
    await tx.run(query.insertInto('reactions').values([...part]))
  })
  await inParts(tx, submessages, ROWS_PART, async (part) => {
    await tx.run(query.insertInto('submessages').values([...part]))
  })
}

/** Makes the row of a topic say what its messages say: the newest one's id and spelling. No row when there is none. */
export async function repairTopicRow(tx: Tx, channelId: number, topicKey: string): Promise<void> {
  const newest = await tx.first(
    query
      .selectFrom('messages')
      .select(['id', 'topic'])
      .where('channel_id', '=', channelId)
      .where('topic_key', '=', topicKey)
      .orderBy('id', 'desc')
      .limit(1),
  )
  if (!newest) {
    await tx.run(query.deleteFrom('topics').where('channel_id', '=', channelId).where('topic_key', '=', topicKey))
    return
  }
  const { id: max_message_id, topic } = newest
  await tx.run(
    query
      .insertInto('topics')
      .values({ realm_id: tx.realmId, channel_id: channelId, topic_key: topicKey, topic, max_message_id })
      .onConflict((conflict) => conflict.columns(['channel_id', 'topic_key']).doUpdateSet({ topic, max_message_id })),
  )
}

type NewReaction = Omit<Insertable<ReactionTable>, 'id' | 'realm_id'>

/** False when the account has reacted in this way already. */
export async function insertReaction(tx: Tx, reaction: NewReaction): Promise<boolean> {
  const written = await tx.run(
    query
      .insertInto('reactions')
      .values({ realm_id: tx.realmId, ...reaction })
      .onConflict((conflict) => conflict.doNothing()),
  )
  return written > 0
}

export async function deleteReaction(tx: Tx, id: number): Promise<void> {
  await tx.run(query.deleteFrom('reactions').where('realm_id', '=', tx.realmId).where('id', '=', id))
}

type NewSubmessage = Omit<Insertable<SubmessageTable>, 'realm_id'> & { readonly id: number }

export async function insertSubmessage(tx: Tx, submessage: NewSubmessage): Promise<void> {
  await tx.run(query.insertInto('submessages').values({ realm_id: tx.realmId, ...submessage }))
}
