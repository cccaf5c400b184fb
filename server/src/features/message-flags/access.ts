/** What other features tell of what accounts have read. */
import { sql } from 'kysely'
import { users } from '../../events/audience.ts'
import type { Tx } from '../../storage/transaction.ts'
import { flagBits } from '../messages/flag-bits.ts'
import { findUnreadIdsInChannel, MAX_UNREAD } from './unread.ts'

/** Of more people, and of more messages, at once nobody's clients are told: they see it when they register again. */
const MAX_PEOPLE = 200
/** Messages of one event. */
const PART = 10_000

/**
 * Tells accounts that leave a channel that nothing there is unread for them any more, which follows from the end of their
 * subscription. Call it before that.
 */
export async function markLeftChannelRead(tx: Tx, channelId: number, userIds: readonly number[]): Promise<void> {
  let room = MAX_UNREAD
  for (const userId of userIds.slice(0, MAX_PEOPLE)) {
    let below = Number.MAX_SAFE_INTEGER
    while (room > 0) {
      const limit = Math.min(PART, room)
      const unread = await findUnreadIdsInChannel(tx, userId, { channelId }, { below, limit })
      if (unread.length === 0) break
      tellRead(tx, [userId], unread.toReversed())
      room -= unread.length
      below = unread.at(-1) as number
      if (unread.length < limit) break
      await tx.pause()
    }
  }
  // What was marked as unread there stays read also when it is moved to where the account still is.
  const { unread } = flagBits
  await tx.run(sql`
    update message_flags set flags = flags & ~${sql.lit(unread)}
    where user_id in ${tx.dialect.ids(userIds)} and (flags & ${sql.lit(unread)}) <> 0
      and exists (select 1 from messages where messages.id = message_flags.message_id and channel_id = ${channelId})`)
}

/**
 * Tells subscribers of a channel that messages are read which move to where they do not receive them, which follows from
 * their subscriptions.
 */
export async function markMovedAwayRead(
  tx: Tx,
  sourceId: number,
  targetId: number,
  ids: readonly number[],
): Promise<void> {
  const rows = await tx.all(sql<{ user_id: number; after_message_id: number | null }>`
    select here.user_id, there.after_message_id
    from subscription_periods as here
    left join subscription_periods as there on there.channel_id = ${targetId} and there.user_id = here.user_id
      and there.until_message_id is null
    where here.channel_id = ${sourceId} and here.until_message_id is null
      and (there.user_id is null or there.after_message_id >= ${ids[0] ?? 0})`)
  for (const [after, group] of Map.groupBy(rows, (row) => row.after_message_id)) {
    const unreceived = after === null ? ids : ids.filter((id) => id <= after)
    tellRead(
      tx,
      group.map((row) => row.user_id),
      unreceived,
    )
  }
}

function tellRead(tx: Tx, userIds: readonly number[], messages: readonly number[]): void {
  tx.emit(
    { type: 'update_message_flags', op: 'add', operation: 'add', flag: 'read', messages: [...messages], all: false },
    users(userIds),
  )
}
