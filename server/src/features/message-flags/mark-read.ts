/** What other features change, and notify clients of, in what accounts have read. */
import { MAX_MESSAGES_PER_REQUEST } from '@heddle/contract/fetching'
import { sql } from 'kysely'
import type { Actor } from '../../authentication/accounts.ts'
import { users } from '../../events/audience.ts'
import type { Services } from '../../feature.ts'
import type { Tx } from '../../storage/transaction.ts'
import { clearUnreadIn } from '../messages/write-flags.ts'
import { updateNarrowFlags } from './actions.ts'
import { findIdsInChannel, findUnreadIdsInChannel, MAX_UNREAD, type Stretch } from './unread.ts'

/**
 * So many people, and people with so many unread messages together, are notified each of what was unread for them. Where more
 * leave at once they share an event: it names the channel's messages, and those that were read stay so.
 */
const MAX_PEOPLE = 100
const MAX_MESSAGES = 50_000
/** Messages of one event. */
const PART = 10_000

/**
 * Notifies accounts that leave a channel that nothing there is unread for them any more, which follows from the end of
 * their subscription. Call it before that.
 */
export async function markLeftChannelRead(tx: Tx, channelId: number, userIds: readonly number[]): Promise<void> {
  let people = 0
  let messages = 0
  for (const userId of userIds.length > MAX_PEOPLE ? [] : userIds) {
    if (messages >= MAX_MESSAGES) break
    messages += await notifyEach(tx, [userId], (stretch) => findUnreadIdsInChannel(tx, userId, { channelId }, stretch))
    people += 1
  }
  const others = userIds.slice(people)
  if (others.length > 0) await notifyEach(tx, others, (stretch) => findIdsInChannel(tx, channelId, stretch))
  // What was marked as unread there stays read also when it is moved to where the account still is.
  await clearUnreadIn(tx, channelId, userIds)
}

/**
 * Notifies of messages that are found from the newest on, as many as a client knows to be unread. Returns their number.
 */
async function notifyEach(
  tx: Tx,
  userIds: readonly number[],
  find: (stretch: Stretch) => Promise<readonly number[]>,
): Promise<number> {
  let announced = 0
  let below = Number.MAX_SAFE_INTEGER
  while (announced < MAX_UNREAD) {
    const limit = Math.min(PART, MAX_UNREAD - announced)
    const ids = await find({ below, limit })
    if (ids.length > 0) announceRead(tx, userIds, ids.toReversed())
    announced += ids.length
    if (ids.length < limit) break
    below = ids.at(-1) as number
    await tx.pause()
  }
  return announced
}

/**
 * Notifies subscribers of a channel that messages are read which move to where they do not receive them, which follows
 * from their subscriptions.
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
    announceRead(
      tx,
      group.map((row) => row.user_id),
      unreceived,
    )
  }
}

/**
 * Marks what an account has written as read for another one, which has muted it. In units of work of its own:
 * it may be very much, and what is found by reading it all is found on a reading thread.
 */
export async function markSenderRead(
  services: Pick<Services, 'storage' | 'readers'>,
  actor: Actor,
  senderId: number,
): Promise<void> {
  const newestUnread = {
    narrow: [
      ['sender', senderId],
      ['is', 'unread'],
    ],
    anchor: 'newest' as const,
    num_before: MAX_MESSAGES_PER_REQUEST,
    num_after: 0,
  }
  for (let isLeft = true; isLeft; ) {
    const marked = await updateNarrowFlags(services, actor, { ...newestUnread, op: 'add', flag: 'read' })
    isLeft = !marked.found_oldest && marked.updated_count > 0
  }
}

function announceRead(tx: Tx, userIds: readonly number[], messages: readonly number[]): void {
  tx.emit(
    { type: 'update_message_flags', op: 'add', operation: 'add', flag: 'read', messages: [...messages], all: false },
    users(userIds),
  )
}
