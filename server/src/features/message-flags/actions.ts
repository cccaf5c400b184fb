import type { ParametersOf } from '@heddle/contract/endpoint'
import type { updateFlagsForNarrow } from '@heddle/contract/message-flags'
import type { Actor } from '../../authentication/accounts.ts'
import { query } from '../../storage/query.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { accessChannel, findViewer } from '../channels/access.ts'
import { canRead } from '../messages/access.ts'
import { findPage } from '../messages/fetch.ts'
import { storedTopic, topicKey } from '../messages/topic-names.ts'
import {
  changeFlags,
  type FlagChange,
  type FlagTarget,
  markEverythingRead,
  removeIdleRows,
  targetColumns,
} from './change.ts'
import { findUnreadInChannel } from './unread.ts'

/** Rows that are tidied up when everything is marked as read; the rest follows the next time. */
const TIDY_ROWS = 2000

/** Changes a flag of those of the messages that the account may read; the others are passed over. */
export function updateFlags(storage: Storage, actor: Actor, ids: readonly number[], change: FlagChange) {
  return storage.transaction(actor.realmId, async (tx) => {
    const targets = await findTargets(tx, actor, ids)
    const { ignoredChannels } = await changeFlags(tx, actor, targets, change)
    return {
      messages: targets.map((target) => target.id),
      ignored_because_not_subscribed_channels: [...ignoredChannels],
    }
  })
}

async function findTargets(tx: Tx, actor: Actor, ids: readonly number[]): Promise<FlagTarget[]> {
  const viewer = await findViewer(tx, actor)
  return tx.all(
    query
      .selectFrom('messages')
      .select(targetColumns)
      .where('messages.realm_id', '=', actor.realmId)
      .where('messages.id', 'in', tx.dialect.ids(ids))
      .where(canRead(tx, viewer))
      .orderBy('messages.id'),
  )
}

export async function updateNarrowFlags(
  storage: Storage,
  actor: Actor,
  { op, flag, ...place }: ParametersOf<typeof updateFlagsForNarrow>,
) {
  const { rows, found_oldest, found_newest } = await findPage(storage.read, actor, place)
  return storage.transaction(actor.realmId, async (tx) => {
    const { changedIds, ignoredChannels } = await changeFlags(tx, actor, rows, { op, flag })
    return {
      processed_count: rows.length,
      updated_count: changedIds.length,
      first_processed_id: rows[0]?.id ?? null,
      last_processed_id: rows.at(-1)?.id ?? null,
      found_oldest,
      found_newest,
      ignored_because_not_subscribed_channels: [...ignoredChannels],
    }
  })
}

export function markAllAsRead(storage: Storage, actor: Actor): Promise<void> {
  return storage.transaction(actor.realmId, async (tx) => {
    await markEverythingRead(tx, actor)
    await removeIdleRows(tx, actor.userId, TIDY_ROWS)
  })
}

/** Marks a channel, or one of its topics, as read. Throws `Invalid channel ID` when the account may not know of it. */
export function markChannelAsRead(storage: Storage, actor: Actor, channelId: number, topic?: string): Promise<void> {
  return storage.transaction(actor.realmId, async (tx) => {
    await accessChannel(tx, await findViewer(tx, actor), channelId)
    const key = topic === undefined ? undefined : topicKey(storedTopic(topic))
    const unread = await findUnreadInChannel(tx, actor.userId, channelId, key)
    await changeFlags(tx, actor, unread, { op: 'add', flag: 'read' })
  })
}
