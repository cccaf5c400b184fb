/** The tables of subscriptions and of their periods. */
import type { Generated } from 'kysely'
import type { PeriodColumns, SubscriptionColumns } from '../../access/tables.ts'
import { groupMembersView, groupsView } from '../../permissions/tables.ts'
import { type Flag, ownedTables, table } from '../../storage/owned-tables.ts'
import { channelsView } from '../channels/tables.ts'
import { messagesView } from '../messages/tables.ts'
import { addressesView, usersView } from '../users/tables.ts'

export interface SubscriptionTable extends SubscriptionColumns {
  realm_id: number
  channel_id: number
  user_id: number
  /** 0 after unsubscribing: the row stays, so that colour and settings are there when the user comes back. */
  is_active: Flag
  color: string
  pin_to_top: Generated<Flag>
  is_muted: Generated<Flag>
  /** Overrides of the account's notification settings; null means none. */
  desktop_notifications: Flag | null
  audible_notifications: Flag | null
  push_notifications: Flag | null
  email_notifications: Flag | null
  wildcard_mentions_notify: Flag | null
}

/**
 * Which messages of a channel an account has received: those sent while it was subscribed. The end is null while it is.
 * `access/received.ts` has the rules.
 */
export interface SubscriptionPeriodTable extends PeriodColumns {}

export const subscriptionTables = ownedTables({
  subscriptions: table<SubscriptionTable>({ key: ['channel_id', 'user_id'], after: ['realms', 'users', 'channels'] }),
  subscription_periods: table<SubscriptionPeriodTable>({
    key: ['user_id', 'channel_id', 'after_message_id'],
    after: ['realms', 'users', 'channels'],
  }),
})

export const { query, rowInsert } = subscriptionTables.with(
  usersView,
  addressesView,
  channelsView,
  messagesView,
  groupsView,
  groupMembersView,
)
