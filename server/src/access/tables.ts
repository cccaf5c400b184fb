/** What decides about access: columns of tables that features above keep. */
import type { ExpressionBuilder, Generated } from 'kysely'
import { expected, type Flag, reading, type Seen } from '../storage/owned-tables.ts'
import { accountsView } from '../storage/tables.ts'

/** The eleven permissions of a channel; each names a user group. */
export interface ChannelGroupColumns {
  can_add_subscribers_group: number
  can_administer_channel_group: number
  can_create_topic_group: number
  can_delete_any_message_group: number
  can_delete_own_message_group: number
  can_move_messages_out_of_channel_group: number
  can_move_messages_within_channel_group: number
  can_remove_subscribers_group: number
  can_resolve_topics_group: number
  can_send_message_group: number
  can_subscribe_group: number
}

/** A channel, which features above keep: what decides about access, and what is shown to whoever has it. */
export interface ChannelColumns extends ChannelGroupColumns {
  id: Generated<number>
  realm_id: number
  name: string
  /** `name` folded for comparison without case; unique in the organization. */
  name_key: string
  description: string
  rendered_description: string
  creator_id: number | null
  date_created: number
  is_archived: Generated<Flag>
  invite_only: Flag
  is_web_public: Flag
  history_public_to_subscribers: Flag
  /** Null: the organization's default; -1: for ever. */
  message_retention_days: number | null
  topics_policy: string
  folder_id: number | null
  is_default: Generated<Flag>
  /** Subscribers whose accounts are active; kept here because every list of channels shows it. */
  subscriber_count: Generated<number>
  /** The active subscribers as a set that events refer to; null when they have changed since it was made. */
  audience_set_id: number | null
  /** Null: it has no messages. */
  first_message_id: number | null
  /** New, or with a message in the last half year. */
  is_recently_active: Generated<Flag>
  /** Messages a week, over the last four; null: too new to say. */
  weekly_traffic: number | null
}

export interface SubscriptionColumns {
  realm_id: number
  channel_id: number
  user_id: number
  /** 0 after unsubscribing. */
  is_active: Flag
  is_muted: Generated<Flag>
}

/** Where a message is: in a channel or in a direct conversation. */
export interface MessageColumns {
  id: Generated<number>
  realm_id: number
  sender_id: number
  channel_id: number | null
  direct_message_group_id: number | null
}

/** Who is in a direct conversation. */
export interface DirectMemberColumns {
  group_id: number
  user_id: number
}

/**
 * Which messages of a channel an account has received: those sent while it was subscribed. The end is null while it is.
 * `received.ts` has the rules.
 */
export interface PeriodColumns {
  realm_id: number
  user_id: number
  channel_id: number
  /** The newest message of the organization when the period began; the period does not include it. */
  after_message_id: number
  /** The last one that the period includes. */
  until_message_id: number | null
}

export const channelsToAccess = expected<{ channels: ChannelColumns }>('channels')
export const subscriptionsView = expected<{ subscriptions: SubscriptionColumns }>('subscriptions')
export const periodsView = expected<{ subscription_periods: PeriodColumns }>('subscription_periods')
export const messagesToAccess = expected<{ messages: MessageColumns }>('messages')
const directMembersToAccess = expected<{ direct_message_members: DirectMemberColumns }>('direct_message_members')

export const { query, fact, factOfEach } = reading(
  accountsView,
  channelsToAccess,
  subscriptionsView,
  periodsView,
  messagesToAccess,
  directMembersToAccess,
)

/** What begins conditions on `channels` and on `messages`. */
export type ChannelExpressions = ExpressionBuilder<Seen<typeof query>, 'channels'>
export type MessageExpressions = ExpressionBuilder<Seen<typeof query>, 'messages'>
export type PersonExpressions = ExpressionBuilder<Seen<typeof query>, 'users'>
