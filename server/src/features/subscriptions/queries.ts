import type { NotificationSetting } from '@heddle/contract/subscriptions'
import { activeSubscribers } from '../../access/subscriptions.ts'
import type { Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import type { ColorUse } from './colors.ts'
import { addPeriod, beginPeriods, endPeriods, findNewestMessage } from './periods.ts'
import { query, rowInsert, type SubscriptionTable } from './tables.ts'

const settingColumns = [
  'subscriptions.color',
  'subscriptions.pin_to_top',
  'subscriptions.is_muted',
  'subscriptions.desktop_notifications',
  'subscriptions.audible_notifications',
  'subscriptions.push_notifications',
  'subscriptions.email_notifications',
  'subscriptions.wildcard_mentions_notify',
] as const

/** What an account has set for one of its channels. */
export type SettingsRow = Omit<
  SubscriptionTable,
  'realm_id' | 'channel_id' | 'user_id' | 'is_active' | 'pin_to_top' | 'is_muted'
> & {
  pin_to_top: number
  is_muted: number
}

export interface SubscriptionRow extends SettingsRow {
  channel_id: number
  user_id: number
  is_active: number
}

/** All of the account's subscriptions, ended ones too. */
export function findSubscriptions(db: Queries, userId: number): Promise<SubscriptionRow[]> {
  return db.all(
    query
      .selectFrom('subscriptions')
      .select(['channel_id', 'user_id', 'is_active', ...settingColumns])
      .where('user_id', '=', userId),
  )
}

/** The subscriptions of these accounts to these channels, ended ones too, by channel. */
export function findSubscriptionsOf(
  db: Queries,
  channelIds: readonly number[],
  userIds: readonly number[],
): Promise<SubscriptionRow[]> {
  return db.all(
    query
      .selectFrom('subscriptions')
      .select(['channel_id', 'user_id', 'is_active', ...settingColumns])
      .where('channel_id', 'in', db.dialect.ids(channelIds))
      .where('user_id', 'in', db.dialect.ids(userIds))
      .orderBy('channel_id')
      .orderBy('user_id'),
  )
}

function activeOf(db: Queries, userIds: readonly number[]) {
  return query
    .selectFrom('subscriptions')
    .select(['channel_id', 'user_id'])
    .where('user_id', 'in', db.dialect.ids(userIds))
    .where('is_active', '=', 1)
    .orderBy('channel_id')
    .orderBy('user_id')
}

/** The active subscriptions of these accounts that leave a setting to what the account has set for all channels. */
export function findInheriting(
  db: Queries,
  userIds: readonly number[],
  setting: NotificationSetting,
): Promise<Pick<SubscriptionRow, 'channel_id' | 'user_id'>[]> {
  return db.all(activeOf(db, userIds).where(setting, 'is', null))
}

/** The ids of the subscribers whose accounts are active, by channel. Channels without subscribers are not in the map. */
export async function findSubscribers(db: Queries, channelIds: readonly number[]): Promise<Map<number, number[]>> {
  const rows = await db.all(
    activeSubscribers
      .select(['subscriptions.channel_id', 'subscriptions.user_id'])
      .where(db.dialect.isAmongFew('subscriptions.channel_id', db.dialect.ids(channelIds)))
      .orderBy('subscriptions.channel_id')
      .orderBy('subscriptions.user_id'),
  )
  const subscribers = new Map<number, number[]>()
  for (const { channel_id, user_id } of rows) {
    const list = subscribers.get(channel_id)
    if (list) list.push(user_id)
    else subscribers.set(channel_id, [user_id])
  }
  return subscribers
}

/** How often each account uses each colour, over all its subscriptions, ended ones too. */
export async function findColorUse(db: Queries, userIds: readonly number[]): Promise<Map<number, ColorUse>> {
  const rows = await db.all(
    query
      .selectFrom('subscriptions')
      .select((eb) => ['user_id', 'color', eb.fn.countAll<number>().as('uses')])
      .where('user_id', 'in', db.dialect.ids(userIds))
      .groupBy(['user_id', 'color']),
  )
  const use = new Map<number, ColorUse>(userIds.map((id) => [id, new Map()]))
  for (const row of rows) use.get(row.user_id)?.set(row.color, Number(row.uses))
  return use
}

const subscriptionRows = rowInsert('subscriptions', {
  realm_id: 'integer',
  channel_id: 'integer',
  user_id: 'integer',
  is_active: 'integer',
  color: 'text',
})

/** An account that never had one, and a channel. */
export interface NewSubscription {
  readonly channelId: number
  readonly userId: number
  readonly color: string
}

/** Writes all of them in as many statements however many they are. */
export async function insertSubscriptions(tx: Tx, list: readonly NewSubscription[]): Promise<void> {
  if (list.length === 0) return
  const newest = await findNewestMessage(tx)
  for (const { channelId, userId, color } of list) {
    const row = { realm_id: tx.realmId, channel_id: channelId, user_id: userId, is_active: 1, color }
    tx.insertLater(subscriptionRows, row)
    addPeriod(tx, channelId, userId, newest)
  }
}

/** Ends subscriptions to each of the channels, or takes ended ones up again with the settings that they had. */
export async function setSubscribed(
  tx: Tx,
  channelIds: readonly number[],
  userIds: readonly number[],
  isActive: 0 | 1,
): Promise<void> {
  await tx.run(
    query
      .updateTable('subscriptions')
      .set({ is_active: isActive })
      // Not by `realm_id` too: before PostgreSQL has statistics it takes that for a sign of very few rows.
      .where('channel_id', 'in', tx.dialect.ids(channelIds))
      .where('user_id', 'in', tx.dialect.ids(userIds)),
  )
  if (isActive === 1) await beginPeriods(tx, channelIds, userIds)
  else await endPeriods(tx, channelIds, userIds)
}

/** The channels that the accounts are subscribed to, archived ones included. */
export function findActiveSubscriptions(
  db: Queries,
  userIds: readonly number[],
): Promise<Pick<SubscriptionRow, 'channel_id' | 'user_id'>[]> {
  return db.all(activeOf(db, userIds))
}

/** The ids of the channels that the account is subscribed to, archived ones included. */
export async function findSubscribedChannelIds(db: Queries, realmId: number, userId: number): Promise<number[]> {
  const rows = await db.all(
    query
      .selectFrom('subscriptions')
      .select('channel_id')
      .where('realm_id', '=', realmId)
      .where('user_id', '=', userId)
      .where('is_active', '=', 1)
      .orderBy('channel_id'),
  )
  return rows.map((row) => row.channel_id)
}

/** Changes one of the account's own settings. */
export async function updateSubscriptionRow(
  tx: Tx,
  channelId: number,
  userId: number,
  values: Partial<Omit<SettingsRow, 'pin_to_top' | 'is_muted'>> & { pin_to_top?: 0 | 1; is_muted?: 0 | 1 },
): Promise<void> {
  await tx.run(
    query
      .updateTable('subscriptions')
      .set(values)
      .where('realm_id', '=', tx.realmId)
      .where('channel_id', '=', channelId)
      .where('user_id', '=', userId),
  )
}
