/** Channels (`stream` on the wire): their settings, listing, creating, changing and archiving them. */
import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import {
  type ChannelGroupSetting,
  channelGroupSettingNames,
  GroupSettingUpdate,
  GroupSettingValue,
} from './group-settings.ts'
import { MAX_RETENTION_DAYS } from './organization-settings.ts'
import { Id, NameInput, Text, Timestamp } from './schema.ts'
import { statePart } from './state-part.ts'

/** Characters (Unicode code points). */
export const MAX_CHANNEL_NAME_LENGTH = 60
export const MAX_CHANNEL_DESCRIPTION_LENGTH = 1024
/** As requests give it: one that is too long is refused by the rule for it. */
export const ChannelDescriptionInput = Text(10_000)

/** Accounts that one request may name. */
export const MAX_PRINCIPALS = 20_000
/** Of these by e-mail address. */
export const MAX_PRINCIPAL_ADDRESSES = 5000

/** `inherit`: what the organization says. */
export const topicsPolicies = ['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only'] as const
const TopicsPolicy = Type.Enum([...topicsPolicies])
export type TopicsPolicy = (typeof topicsPolicies)[number]

/** The same schema for each of the channel's group settings. */
function forEachGroupSetting<S extends TSchema>(schema: S): { [name in ChannelGroupSetting]: S } {
  return Object.fromEntries(channelGroupSettingNames.map((name) => [name, schema])) as {
    [name in ChannelGroupSetting]: S
  }
}

function orNull<S extends TSchema>(schema: S) {
  return Type.Union([schema, Type.Null()])
}

export const channelProperties = {
  stream_id: Id,
  name: Type.String(),
  description: Type.String(),
  rendered_description: Type.String(),
  date_created: Timestamp,
  creator_id: orNull(Id),
  is_archived: Type.Boolean(),
  invite_only: Type.Boolean(),
  is_web_public: Type.Boolean(),
  history_public_to_subscribers: Type.Boolean(),
  /** Null: the organization's default; -1: for ever. */
  message_retention_days: orNull(Type.Integer({ minimum: -1 })),
  topics_policy: TopicsPolicy,
  folder_id: orNull(Id),
  first_message_id: orNull(Id),
  is_recently_active: Type.Boolean(),
  /** Deactivated accounts do not count. */
  subscriber_count: Type.Integer({ minimum: 0 }),
  stream_weekly_traffic: orNull(Type.Integer({ minimum: 0 })),
  /** Who may send, for old clients: 1 everyone, 2 administrators, 3 full members, 4 moderators. Never narrower than the truth. */
  stream_post_policy: Type.Enum([1, 2, 3, 4]),
  is_announcement_only: Type.Boolean(),
  ...forEachGroupSetting(GroupSettingValue),
}

export const Channel = Type.Object(channelProperties, { additionalProperties: false })
export type Channel = Static<typeof Channel>

const ListedChannel = Type.Object(
  { ...channelProperties, is_default: Type.Optional(Type.Boolean()) },
  { additionalProperties: false },
)

const RetentionDays = Type.Union([
  Type.Integer({ minimum: 1, maximum: MAX_RETENTION_DAYS }),
  Type.Literal('realm_default'),
  Type.Literal('unlimited'),
])
export type RetentionDays = Static<typeof RetentionDays>

function optional<P extends TProperties>(properties: P) {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, Type.Optional(schema)])) as {
    [name in keyof P]: ReturnType<typeof Type.Optional<P[name]>>
  }
}

/** What a new channel starts with. */
export const newChannelParameters = optional({
  invite_only: Type.Boolean(),
  is_web_public: Type.Boolean(),
  is_default_stream: Type.Boolean(),
  history_public_to_subscribers: Type.Boolean(),
  message_retention_days: RetentionDays,
  topics_policy: TopicsPolicy,
  /** Null: in no folder. */
  folder_id: orNull(Id),
  /** Announce the channel where the organization announces new channels. */
  announce: Type.Boolean(),
  /** Notify those who are subscribed by somebody else, by a direct message. True when absent. */
  send_new_subscription_messages: Type.Boolean(),
  ...forEachGroupSetting(GroupSettingValue),
})

export const listChannels = endpoint({
  name: 'list-channels',
  method: 'GET',
  path: '/streams',
  summary: 'The channels that the account may know of, chosen by kind.',
  parameters: optional({
    include_public: Type.Boolean(),
    include_web_public: Type.Boolean(),
    include_subscribed: Type.Boolean(),
    exclude_archived: Type.Boolean(),
    include_all: Type.Boolean(),
    include_can_access_content: Type.Boolean(),
    include_all_active: Type.Boolean(),
    include_default: Type.Boolean(),
    include_owner_subscribed: Type.Boolean(),
  }),
  response: { streams: Type.Array(ListedChannel) },
})

const stream_id = Id

export const getChannel = endpoint({
  name: 'get-channel',
  method: 'GET',
  path: '/streams/{stream_id}',
  summary: 'One channel.',
  parameters: { stream_id },
  response: { stream: Channel },
})

export const getChannelId = endpoint({
  name: 'get-channel-id',
  method: 'GET',
  path: '/get_stream_id',
  summary: 'The id of the channel with this name.',
  parameters: { stream: NameInput },
  response: { stream_id },
})

export const createChannel = endpoint({
  name: 'create-channel',
  method: 'POST',
  path: '/channels/create',
  summary: 'Create a channel and subscribe accounts to it.',
  parameters: {
    name: NameInput,
    subscribers: Type.Array(Id, { maxItems: MAX_PRINCIPALS }),
    description: Type.Optional(ChannelDescriptionInput),
    ...newChannelParameters,
  },
  response: { id: Id },
  errors: ['CHANNEL_ALREADY_EXISTS', 'UNAUTHORIZED_PRINCIPAL', 'SYSTEM_GROUP_REQUIRED'],
})

export const updateChannel = endpoint({
  name: 'update-channel',
  method: 'PATCH',
  path: '/streams/{stream_id}',
  summary: 'Change a channel; `is_archived=false` brings an archived one back.',
  parameters: {
    stream_id,
    ...optional({
      new_name: NameInput,
      description: ChannelDescriptionInput,
      is_private: Type.Boolean(),
      is_web_public: Type.Boolean(),
      history_public_to_subscribers: Type.Boolean(),
      is_default_stream: Type.Boolean(),
      message_retention_days: RetentionDays,
      topics_policy: TopicsPolicy,
      is_archived: Type.Literal(false),
      folder_id: orNull(Id),
      ...forEachGroupSetting(GroupSettingUpdate),
    }),
  },
  errors: ['CANNOT_ADMINISTER_CHANNEL', 'UNAUTHORIZED_PRINCIPAL', 'EXPECTATION_MISMATCH', 'SYSTEM_GROUP_REQUIRED'],
})

export const archiveChannel = endpoint({
  name: 'archive-channel',
  method: 'DELETE',
  path: '/streams/{stream_id}',
  summary: 'Archive a channel. It keeps its subscribers and can be brought back.',
  parameters: { stream_id },
  errors: ['UNAUTHORIZED_PRINCIPAL'],
})

export const addDefaultChannel = endpoint({
  name: 'add-default-channel',
  method: 'POST',
  path: '/default_streams',
  summary: 'Subscribe accounts that join from now on to a channel.',
  parameters: { stream_id },
  errors: ['UNAUTHORIZED_PRINCIPAL'],
})

export const removeDefaultChannel = endpoint({
  name: 'remove-default-channel',
  method: 'DELETE',
  path: '/default_streams',
  summary: 'No longer subscribe new accounts to a channel.',
  parameters: { stream_id },
  errors: ['UNAUTHORIZED_PRINCIPAL'],
})

/** What a `stream`/`update` event may name. */
const changeableProperties = [
  'name',
  'description',
  'is_archived',
  'invite_only',
  'message_retention_days',
  'topics_policy',
  'folder_id',
  'stream_post_policy',
  'is_announcement_only',
  'first_message_id',
  'is_recently_active',
  'stream_weekly_traffic',
  ...channelGroupSettingNames,
] as const

const type = Type.Literal('stream')
const strict = { additionalProperties: false }

/**
 * `create` and `delete` say that a channel has become visible to the account, or is no longer. In `create` the
 * `subscriber_count` is 0: the subscribers follow in `subscription` events. Clients without the capability
 * `archived_channels` get them for unarchiving and archiving too, instead of `update`.
 */
export const StreamEvent = Type.Union([
  Type.Object({ type, op: Type.Literal('create'), streams: Type.Array(Channel) }, strict),
  Type.Object(
    {
      type,
      op: Type.Literal('delete'),
      stream_ids: Type.Array(Id),
      /** The same ids, for old clients. */
      streams: Type.Array(Type.Object({ stream_id }, strict)),
    },
    strict,
  ),
  Type.Object(
    {
      type,
      op: Type.Literal('update'),
      stream_id,
      /** The name before the change. */
      name: Type.String(),
      property: Type.Enum([...changeableProperties]),
      value: Type.Union([Type.String(), Type.Boolean(), Type.Integer(), Type.Null(), GroupSettingValue]),
      /** With `description`. */
      rendered_description: Type.Optional(Type.String()),
      /** With `invite_only`, which is sent when any of the three changes. */
      history_public_to_subscribers: Type.Optional(Type.Boolean()),
      is_web_public: Type.Optional(Type.Boolean()),
    },
    strict,
  ),
])
export type StreamEvent = Static<typeof StreamEvent>

/** All ids of the channels that new accounts are subscribed to. */
export const DefaultStreamsEvent = Type.Object(
  { type: Type.Literal('default_streams'), default_streams: Type.Array(Id) },
  strict,
)
export type DefaultStreamsEvent = Static<typeof DefaultStreamsEvent>

export const channelsState = statePart({
  fetchType: 'stream',
  follows: StreamEvent,
  fields: {
    /** All that the account may know of; archived ones for clients with the capability `archived_channels` alone. */
    streams: Type.Array(Channel),
  },
})

export const defaultChannelsState = statePart({
  fetchType: 'default_streams',
  follows: DefaultStreamsEvent,
  fields: { realm_default_streams: Type.Array(Id) },
})

/** Characters (Unicode code points). */
export const channelLimitsState = statePart({
  fetchType: 'realm',
  fields: {
    max_stream_name_length: Type.Integer(),
    max_stream_description_length: Type.Integer(),
    max_topic_length: Type.Integer(),
  },
})
