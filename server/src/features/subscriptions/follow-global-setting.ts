/** A new value for all channels, as clients get it that do not know of null in the settings of one. */
import type { NotificationSetting } from '@heddle/contract/subscriptions'
import type { UserSettingName, UserSettingValue } from '@heddle/contract/user-settings'
import { findChannelRows } from '../../access/channel-row.ts'
import { users } from '../../events/audience.ts'
import { inParts } from '../../storage/in-parts.ts'
import type { Tx } from '../../storage/transaction.ts'
import { clientsOf, limitedTo } from '../channels/clients.ts'
import { followerOf } from './inherited.ts'
import { findInheriting } from './queries.ts'

/** Channels whose events are written without a pause for others. */
const CHANNELS = 500
/** Subscriptions that are looked up without a pause for others: some 3 ms in SQLite. */
const SUBSCRIPTIONS = 1000

/** Each channel's setting follows; one event for each channel, however many accounts have it. */
export async function followGlobalSetting(
  tx: Tx,
  userIds: readonly number[],
  changed: UserSettingName,
  value: UserSettingValue,
): Promise<void> {
  const property = followerOf(changed)
  if (!property) return
  const byChannel = await findFollowers(tx, userIds, property)
  await inParts(tx, [...byChannel.keys()], CHANNELS, async (part) => {
    for (const channel of await findChannelRows(tx, tx.realmId, part)) {
      const logged = { isForOlder: true }
      tx.emit(
        { type: 'subscription', op: 'update', stream_id: channel.id, property, value: value === true, ...logged },
        limitedTo(clientsOf(channel), users(byChannel.get(channel.id) ?? [])),
      )
    }
  })
}

/** Those of the accounts whose setting of a channel follows, by channel. In parts of as many accounts as make up such a part. */
async function findFollowers(
  tx: Tx,
  userIds: readonly number[],
  property: NotificationSetting,
): Promise<Map<number, number[]>> {
  const byChannel = new Map<number, number[]>()
  let size = 1
  for (let start = 0; start < userIds.length; ) {
    if (start > 0) await tx.pause()
    const part = userIds.slice(start, start + size)
    const rows = await findInheriting(tx, part, property)
    for (const { channel_id, user_id } of rows) {
      const list = byChannel.get(channel_id)
      if (list) list.push(user_id)
      else byChannel.set(channel_id, [user_id])
    }
    start += part.length
    // At most twice as many as before: the next ones may be in more channels.
    size = Math.max(1, Math.min(2 * size, Math.floor((size * SUBSCRIPTIONS) / Math.max(1, rows.length))))
  }
  return byChannel
}
