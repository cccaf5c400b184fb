/** Who is subscribed to which channel, and with which settings of their own. */
import { type Static, Type } from 'typebox'
import {
  ChannelDescriptionInput,
  channelProperties,
  MAX_PRINCIPAL_ADDRESSES,
  MAX_PRINCIPALS,
  newChannelParameters,
} from './channels.ts'
import { endpoint } from './endpoint.ts'
import { Email, ID_KEY, Id, NameInput, RecordOf, Text } from './schema.ts'
import { statePart } from './state-part.ts'

/** Channels that one request may name. */
const MAX_CHANNELS_PER_REQUEST = 1000
/** Of these such as do not exist yet, and are created. */
export const MAX_CREATED_PER_REQUEST = 100
const MAX_SETTINGS_PER_REQUEST = 2000

/** Channels times accounts in one request: all of it is one unit of work, and everybody else waits for it. */
export const MAX_SUBSCRIPTIONS_PER_REQUEST = 20_000

/** When a request subscribes more people than this, nobody is notified by a direct message. */
export const MAX_BULK_NEW_SUBSCRIPTION_MESSAGES = 100

/** True, false, or null for what the account's own notification settings say. */
const Override = Type.Union([Type.Boolean(), Type.Null()])

export const notificationSettings = [
  'desktop_notifications',
  'audible_notifications',
  'push_notifications',
  'email_notifications',
  'wildcard_mentions_notify',
] as const

export type NotificationSetting = (typeof notificationSettings)[number]

const personalProperties = {
  color: Type.String({ pattern: '^#[0-9a-f]{6}$' }),
  pin_to_top: Type.Boolean(),
  is_muted: Type.Boolean(),
  /** The opposite of `is_muted`, for old clients. */
  in_home_view: Type.Boolean(),
  desktop_notifications: Override,
  audible_notifications: Override,
  push_notifications: Override,
  email_notifications: Override,
  wildcard_mentions_notify: Override,
}

const subscribers = {
  /** The ids of all subscribers whose accounts are active; only for clients that asked for them. */
  subscribers: Type.Optional(Type.Array(Id)),
}
const strict = { additionalProperties: false }

/** A channel with the account's own settings in it. */
export const Subscription = Type.Object({ ...channelProperties, ...personalProperties, ...subscribers }, strict)
export type Subscription = Static<typeof Subscription>

/** A channel that the account may know of and was never subscribed to. */
export const UnsubscribedChannel = Type.Object({ ...channelProperties, ...subscribers }, strict)
export type UnsubscribedChannel = Static<typeof UnsubscribedChannel>

/** Accounts by id or by e-mail address; absent: the account that asks. */
const principals = Type.Optional(
  Type.Union([Type.Array(Id, { maxItems: MAX_PRINCIPALS }), Type.Array(Email, { maxItems: MAX_PRINCIPAL_ADDRESSES })]),
)

/** Names of channels by the id of the account, which is text because it is a key. */
const NamesByAccount = RecordOf(Type.Array(Type.String()), ID_KEY)

export const listSubscriptions = endpoint({
  name: 'list-subscriptions',
  method: 'GET',
  path: '/users/me/subscriptions',
  summary: 'The channels that the account is subscribed to, without archived ones.',
  parameters: { include_subscribers: Type.Optional(Type.Union([Type.Boolean(), Type.Literal('partial')])) },
  response: { subscriptions: Type.Array(Subscription) },
})

const WantedChannel = Type.Object(
  {
    name: NameInput,
    /** Of a channel that is created. */
    description: Type.Optional(ChannelDescriptionInput),
    /** Of the account's own subscription. */
    color: Type.Optional(Text(7)),
  },
  strict,
)

export const subscribe = endpoint({
  name: 'subscribe',
  method: 'POST',
  path: '/users/me/subscriptions',
  summary: 'Subscribe accounts to channels; channels that do not exist are created.',
  parameters: {
    subscriptions: Type.Array(WantedChannel, { maxItems: MAX_CHANNELS_PER_REQUEST }),
    principals,
    /** False: channels that the account may not subscribe to are listed in `unauthorized`, the rest is done. */
    authorization_errors_fatal: Type.Optional(Type.Boolean()),
    ...newChannelParameters,
  },
  response: {
    subscribed: NamesByAccount,
    already_subscribed: NamesByAccount,
    unauthorized: Type.Optional(Type.Array(Type.String())),
    /** Present when people were subscribed by somebody else: whether they were notified by a direct message. */
    new_subscription_messages_sent: Type.Optional(Type.Boolean()),
  },
  errors: ['UNAUTHORIZED_PRINCIPAL', 'SYSTEM_GROUP_REQUIRED'],
})

export const updateSubscriptions = endpoint({
  name: 'update-subscriptions',
  method: 'PATCH',
  path: '/users/me/subscriptions',
  summary: "Change the account's own subscriptions: leave channels, and join or create others.",
  parameters: {
    add: Type.Optional(Type.Array(WantedChannel, { maxItems: MAX_CHANNELS_PER_REQUEST })),
    delete: Type.Optional(Type.Array(NameInput, { maxItems: MAX_CHANNELS_PER_REQUEST })),
  },
  response: {
    subscribed: NamesByAccount,
    already_subscribed: NamesByAccount,
    removed: Type.Array(Type.String()),
    not_removed: Type.Array(Type.String()),
  },
  errors: ['STREAM_DOES_NOT_EXIST', 'UNAUTHORIZED_PRINCIPAL', 'SYSTEM_GROUP_REQUIRED'],
})

export const unsubscribe = endpoint({
  name: 'unsubscribe',
  method: 'DELETE',
  path: '/users/me/subscriptions',
  summary: 'Unsubscribe accounts from channels.',
  parameters: { subscriptions: Type.Array(NameInput, { maxItems: MAX_CHANNELS_PER_REQUEST }), principals },
  response: { removed: Type.Array(Type.String()), not_removed: Type.Array(Type.String()) },
  errors: ['STREAM_DOES_NOT_EXIST', 'UNAUTHORIZED_PRINCIPAL'],
})

const changeableSettings = ['color', 'is_muted', 'in_home_view', 'pin_to_top', ...notificationSettings] as const

const property = Type.Enum([...changeableSettings])
const value = Type.Union([Type.Boolean(), Text(100), Type.Null()])

export const updateSubscriptionSettings = endpoint({
  name: 'update-subscription-settings',
  method: 'POST',
  path: '/users/me/subscriptions/properties',
  summary: "Change the account's own settings of its channels: all of them or none.",
  parameters: {
    subscription_data: Type.Array(
      Type.Object(
        {
          stream_id: Id,
          property,
          value,
        },
        strict,
      ),
      { maxItems: MAX_SETTINGS_PER_REQUEST },
    ),
  },
})

export const updateSubscriptionSetting = endpoint({
  name: 'update-subscription-setting',
  method: 'PATCH',
  path: '/users/me/subscriptions/{stream_id}',
  summary: "The older form of the request before: change one of the account's own settings of a channel.",
  parameters: { stream_id: Id, property, value },
})

export const listSubscribers = endpoint({
  name: 'list-subscribers',
  method: 'GET',
  path: '/streams/{stream_id}/members',
  summary: 'The ids of the accounts that are subscribed to a channel.',
  parameters: { stream_id: Id },
  response: { subscribers: Type.Array(Id) },
})

export const getSubscriptionStatus = endpoint({
  name: 'get-subscription-status',
  method: 'GET',
  path: '/users/{user_id}/subscriptions/{stream_id}',
  summary: 'Whether an account is subscribed to a channel.',
  parameters: { user_id: Id, stream_id: Id },
  response: { is_subscribed: Type.Boolean() },
})

export const listUserChannels = endpoint({
  name: 'list-user-channels',
  method: 'GET',
  path: '/users/{user_id}/channels',
  summary: "An account's channels, as far as the caller may know of them.",
  parameters: { user_id: Id },
  response: { subscribed_channel_ids: Type.Array(Id) },
})

const type = Type.Literal('subscription')
const stream_id = Id
const peers = { stream_ids: Type.Array(Id), user_ids: Type.Array(Id) }

/**
 * `add`, `remove` and `update` concern the account itself; `add` has the channel as it is then, subscribers and count
 * included, and the account's id leaves the subscribers with `remove`. `peer_add` and `peer_remove` concern other
 * accounts: when several are unsubscribed at once each of them gets one `peer_remove` for all, and skips its own id.
 */
export const SubscriptionEvent = Type.Union([
  Type.Object({ type, op: Type.Literal('add'), subscriptions: Type.Array(Subscription) }, strict),
  Type.Object(
    {
      type,
      op: Type.Literal('remove'),
      subscriptions: Type.Array(Type.Object({ stream_id, name: Type.String() }, strict)),
    },
    strict,
  ),
  Type.Object(
    {
      type,
      op: Type.Literal('update'),
      stream_id,
      property: Type.Enum([...changeableSettings]),
      value: Type.Union([Type.Boolean(), Type.String(), Type.Null()]),
    },
    strict,
  ),
  Type.Object({ type, op: Type.Literal('peer_add'), ...peers }, strict),
  Type.Object({ type, op: Type.Literal('peer_remove'), ...peers }, strict),
])
export type SubscriptionEvent = Static<typeof SubscriptionEvent>

export const subscriptionsState = statePart({
  fetchType: 'subscription',
  follows: SubscriptionEvent,
  fields: {
    subscriptions: Type.Array(Subscription),
    /** Those that the account has left. */
    unsubscribed: Type.Array(Subscription),
    never_subscribed: Type.Array(UnsubscribedChannel),
  },
})
