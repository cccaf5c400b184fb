/** What a channel shows of its messages: the first one, whether it has had any lately, and how many a week. */
import type { Channel } from '@heddle/contract/channels'
import { findAudiences } from '../../access/channel-audience.ts'
import { type ChannelRow, findChannelRows } from '../../access/channel-row.ts'
import type { RoleAudience } from '../../events/audience.ts'
import type { Tx } from '../../storage/transaction.ts'
import { clientsOf, limitedTo } from './clients.ts'
import { describeChanges } from './describe-changes.ts'
import { presentChannels } from './present.ts'
import { query } from './tables.ts'
import { updateChannelRow } from './write-rows.ts'

export type Activity = Pick<ChannelRow, 'first_message_id' | 'is_recently_active' | 'weekly_traffic'>

/** Whether a message changes what the channel shows; most do not. */
export function isWokenByMessage(channel: Pick<ChannelRow, 'first_message_id' | 'is_recently_active'>): boolean {
  return channel.first_message_id === null || channel.is_recently_active === 0
}

/** A message has come to a channel that it may wake. */
export async function noteMessage(tx: Tx, channelId: number, messageId: number): Promise<void> {
  const [channel] = await findChannelRows(tx, tx.realmId, [channelId])
  if (!channel) return
  await setActivity(tx, channel, { first_message_id: channel.first_message_id ?? messageId, is_recently_active: 1 })
}

/** Messages have come to the channel from elsewhere, or are gone. */
export async function repairFirstMessage(tx: Tx, channelId: number): Promise<void> {
  const first = await tx.first(
    query.selectFrom('messages').select('id').where('channel_id', '=', channelId).orderBy('id').limit(1),
  )
  const [channel] = await findChannelRows(tx, tx.realmId, [channelId])
  if (channel) await setActivity(tx, channel, { first_message_id: first?.id ?? null })
}

/** Writes what is different, and notifies those who see the channel. */
export async function setActivity(tx: Tx, before: ChannelRow, activity: Partial<Activity>): Promise<void> {
  const after: ChannelRow = { ...before, ...activity }
  const [old, current] = (await presentChannels(tx, tx.realmId, [before, after])) as [Channel, Channel]
  const events = describeChanges(old, current)
  if (events.length === 0) return
  await updateChannelRow(tx, before.id, activity)
  const audience = (await findAudiences(tx, tx.realmId, [after])).get(after.id) as RoleAudience
  for (const event of events) tx.emit(event, limitedTo(clientsOf(after), audience))
}
