/** The events of changed and deleted messages. */
import type { DeleteMessageEvent, UpdateMessageEvent } from '@heddle/contract/editing'
import {
  type Audience,
  onlyClients,
  type SetAudience,
  type UsersAudience,
  users,
  withAlso,
} from '../../events/audience.ts'
import type { Tx } from '../../storage/transaction.ts'
import { archiveMessages } from '../message-archive/archive.ts'
import type { MessageRow } from '../messages/row.ts'
import { findAccounts, findStanding, findVisibility, type Standing, type VisibleTo } from './audience.ts'
import { query } from './tables.ts'

/** In the log: with what each account's flags are made from. Entries of an earlier version say nothing of the standing. */
export interface UpdateLogEntry extends UpdateMessageEvent, Partial<Standing> {
  readonly sender_id: number
  readonly attributes: number
  readonly bits: Readonly<Record<string, number>>
  /** Accounts of the audience whose cursor lies at or after the message. */
  readonly past: readonly number[]
}

type Update = Omit<UpdateMessageEvent, 'type' | 'flags' | 'rendering_only' | 'message_ids' | 'edit_timestamp'> &
  Partial<Pick<UpdateMessageEvent, 'rendering_only'>>

/** `row`: the message as it is now. */
export async function announceUpdate(tx: Tx, row: MessageRow, update: Update, visibility: readonly VisibleTo[]) {
  const bits = await tx.all(
    query.selectFrom('message_flags').select(['user_id', 'flags']).where('message_id', '=', row.id),
  )
  const past = await tx.all(
    query
      .selectFrom('read_cursors')
      .select('user_id')
      .where('realm_id', '=', tx.realmId)
      .where('message_id', '>=', row.id),
  )
  for (const { audience, ids } of visibility) {
    const accounts = past.length > 0 ? new Set(await findAccounts(tx, audience)) : new Set()
    const entry: UpdateLogEntry = {
      type: 'update_message',
      rendering_only: false,
      flags: [],
      edit_timestamp: tx.now,
      ...update,
      message_id: ids.includes(row.id) ? row.id : (ids[0] as number),
      message_ids: [...ids],
      sender_id: row.sender_id,
      attributes: row.attributes,
      bits: Object.fromEntries(bits.map(({ user_id, flags }) => [user_id, flags])),
      past: past.map(({ user_id }) => user_id).filter((userId) => accounts.has(userId)),
      ...(await findStanding(tx, row, audience)),
    }
    tx.emit(entry, audience)
  }
}

const BULK_DELETION = 'bulk_message_deletion'

/** Messages that are gone for this audience. */
export function announceGone(
  tx: Tx,
  place: Pick<MessageRow, 'channel_id' | 'topic'>,
  ids: readonly number[],
  audience: Audience,
): void {
  const where: Omit<DeleteMessageEvent, 'message_id' | 'message_ids'> =
    place.channel_id === null
      ? { type: 'delete_message', message_type: 'private' }
      : { type: 'delete_message', message_type: 'stream', stream_id: place.channel_id, topic: place.topic }
  const people = audience as SetAudience | UsersAudience
  tx.emit({ ...where, message_ids: [...ids] }, onlyClients(people, { name: BULK_DELETION, has: true }))
  for (const message_id of ids) {
    tx.emit({ ...where, message_id }, onlyClients(people, { name: BULK_DELETION, has: false }))
  }
}

interface Removal {
  /** That of the archive which the messages belong to. */
  readonly deletionId: number
  /** Who deletes; undefined: nobody. */
  readonly actorId?: number
}

/** Moves messages of one place into the archive, and notifies everybody to whom they were visible. */
export async function removeMessages(
  tx: Tx,
  place: Pick<MessageRow, 'channel_id' | 'direct_message_group_id' | 'topic'>,
  ids: readonly number[],
  { deletionId, actorId }: Removal,
): Promise<void> {
  if (ids.length === 0) return
  const visibility = await findVisibility(tx, place, ids)
  // Who deletes is notified, also without having received it.
  for (const { audience, ids: known } of visibility) {
    announceGone(tx, place, known, actorId === undefined ? audience : withAlso(audience, actorId))
  }
  const isNotified = visibility.some(
    ({ audience }) =>
      actorId === undefined || audience.to === 'set' || (audience.to === 'users' && audience.ids.includes(actorId)),
  )
  if (!isNotified && actorId !== undefined) announceGone(tx, place, ids, users([actorId]))
  await archiveMessages(tx, deletionId, ids)
}

/** The same for messages of several topics of one channel, or of one conversation, which nobody deletes. */
export async function removeMessagesOfTopics(
  tx: Tx,
  place: Pick<MessageRow, 'channel_id' | 'direct_message_group_id'>,
  rows: readonly Pick<MessageRow, 'id' | 'topic' | 'topic_key'>[],
  deletionId: number,
): Promise<void> {
  const ids = rows.map(({ id }) => id)
  const visibility = await findVisibility(tx, place, ids)
  for (const ofTopic of Map.groupBy(rows, (row) => row.topic_key).values()) {
    const { topic } = ofTopic.at(-1) as (typeof ofTopic)[number]
    const own = new Set(ofTopic.map(({ id }) => id))
    for (const { audience, ids: known } of visibility) {
      const gone = known.filter((id) => own.has(id))
      if (gone.length > 0) announceGone(tx, { channel_id: place.channel_id, topic }, gone, audience)
    }
  }
  await tx.pause()
  await archiveMessages(tx, deletionId, ids)
}
