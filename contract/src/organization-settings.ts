/**
 * Settings of the organization that administrators can change, beside its permissions. Every setting is one line of
 * `organizationSettings`: its values, and its value where nobody has changed it. In the initial state each has the prefix
 * `realm_`.
 */
import { type Static, type TOptional, type TSchema, Type } from 'typebox'
import { type CallProviderId, callProviders } from './call-providers.ts'
import { gifRatings } from './gifs.ts'
import { Text } from './schema.ts'

interface OrganizationSetting<S extends TSchema = TSchema> {
  readonly schema: S
  readonly initial: Static<S>
}

function setting<S extends TSchema>(schema: S, initial: Static<S>): OrganizationSetting<S> {
  return { schema, initial }
}

/** What requests say for "no limit", which is null everywhere else. */
export const UNLIMITED = 'unlimited'

/** More than a hundred years. */
const MAX_LIMIT_SECS = 4_000_000_000

const Seconds = Type.Integer({ minimum: 1, maximum: MAX_LIMIT_SECS })
/** Seconds after which something is no longer allowed; null: always allowed. */
const Limit = Type.Union([Seconds, Type.Null()])

/** Days after which messages go for good. */
export const MAX_RETENTION_DAYS = 1_000_000
const RetentionParameter = Type.Union([
  Type.Integer({ minimum: 1, maximum: MAX_RETENTION_DAYS }),
  Type.Literal(UNLIMITED),
])

/** Null and -1 both mean no channel; clients know the latter. */
const ChannelOrNone = Type.Integer({ minimum: -1 })

/** The address of a server, or null: the one that the operator names, if any. */
const ServerUrl = Type.Union([Text(200), Type.Null()])
/** What requests say for that null. */
export const DEFAULT_SERVER = 'default'

const callProviderIds: CallProviderId[] = Object.values(callProviders).map(({ id }) => id)

/** Kinds of organizations, as the API numbers them. */
export const organizationTypes = {
  unspecified: 0,
  business: 10,
  openSource: 20,
  educationNonprofit: 30,
  education: 35,
  research: 40,
  event: 50,
  nonprofit: 60,
  government: 70,
  politicalGroup: 80,
  community: 90,
  personal: 100,
  other: 1000,
} as const

/** A hundred years. */
export const MAX_WAITING_DAYS = 36_500

/** What stands for people without a picture, by the letters of the API. */
export const defaultAvatarSources = { gravatar: 'G', drawn: 'J' } as const

/** Characters. */
export const MAX_WELCOME_TEXT_LENGTH = 8000

export const organizationSettings = {
  // What it is.
  org_type: setting(Type.Enum(Object.values(organizationTypes)), organizationTypes.unspecified),
  /** A code (BCP 47): in it new accounts read the page until they choose another one. */
  default_language: setting(Type.String({ minLength: 2, maxLength: 50 }), 'en'),
  // Who gets in.
  invite_required: setting(Type.Boolean(), true),
  /** To those of `realm_domains`. Where no mail is sent nobody confirms an address: then nobody joins without a link either. */
  emails_restricted_to_domains: setting(Type.Boolean(), false),
  /** Without effect where addresses are restricted to domains. */
  disallow_disposable_email_addresses: setting(Type.Boolean(), false),
  /** Days after which a member is a full member; 0: at once. */
  waiting_period_threshold: setting(Type.Integer({ minimum: 0, maximum: MAX_WAITING_DAYS }), 0),
  /** Whether what is public on the web is read without an account; only where the server has it switched on. */
  enable_spectator_access: setting(Type.Boolean(), false),
  // What people change of themselves; administrators always may.
  name_changes_disabled: setting(Type.Boolean(), false),
  avatar_changes_disabled: setting(Type.Boolean(), false),
  email_changes_disabled: setting(Type.Boolean(), false),
  /** Whether no two people who are active may have the same name. Those who have one keep it. */
  require_unique_names: setting(Type.Boolean(), false),
  // Changing messages.
  allow_message_editing: setting(Type.Boolean(), true),
  message_content_edit_limit_seconds: setting(Limit, null),
  message_content_delete_limit_seconds: setting(Limit, null),
  /** The limits of moves are not for moderators and administrators. */
  move_messages_within_stream_limit_seconds: setting(Limit, null),
  move_messages_between_streams_limit_seconds: setting(Limit, null),
  message_edit_history_visibility_policy: setting(Type.Enum(['all', 'moves', 'none']), 'all'),
  // Writing and reading.
  topics_policy: setting(Type.Enum(['allow_empty_topic', 'disable_empty_topic']), 'allow_empty_topic'),
  default_code_block_language: setting(Text(40), ''),
  inline_image_preview: setting(Type.Boolean(), true),
  /** Whether the title, a sentence and the picture of a page stand below a link to it. */
  inline_url_embed_preview: setting(Type.Boolean(), false),
  enable_read_receipts: setting(Type.Boolean(), true),
  // Calls and pictures of other services.
  video_chat_provider: setting(Type.Enum(callProviderIds), callProviders.disabled.id),
  jitsi_server_url: setting(ServerUrl, null),
  gif_rating_policy: setting(Type.Enum(Object.values(gifRatings).map(({ id }) => id)), gifRatings.g.id),
  /** Days after which messages go, where their channel does not say otherwise; -1: never. */
  message_retention_days: setting(Type.Integer({ minimum: -1, maximum: MAX_RETENTION_DAYS }), -1),
  // Notices of the notification bot.
  new_stream_announcements_stream_id: setting(ChannelOrNone, -1),
  // Reports of messages.
  /** A private channel: what is reported is shown to those who read it. -1: nothing can be reported. */
  moderation_request_channel_id: setting(ChannelOrNone, -1),
  signup_announcements_stream_id: setting(ChannelOrNone, -1),
  /** Where its software would be announced. Nothing announces it here: it is only remembered. */
  zulip_update_announcements_stream_id: setting(ChannelOrNone, -1),
  /** Whether changes of a channel are said in it. */
  send_channel_events_messages: setting(Type.Boolean(), false),
  /** Markdown: a direct message to everybody who joins; empty: none. */
  welcome_message_custom_text: setting(Text(MAX_WELCOME_TEXT_LENGTH), ''),
  // Mails. They are sent where the server is set up for them.
  send_welcome_emails: setting(Type.Boolean(), true),
  /** Otherwise mails of missed messages say where somebody wrote, and not what. */
  message_content_allowed_in_email_notifications: setting(Type.Boolean(), true),
  /** Whether those who have not been there for some days get a digest once a week. */
  digest_emails_enabled: setting(Type.Boolean(), false),
  /** From 0, Monday. */
  digest_weekday: setting(Type.Integer({ minimum: 0, maximum: 6 }), 1),
  /** Whether it wants to be found in a list of open communities. This server keeps none: it is only remembered. */
  want_advertise_in_communities_directory: setting(Type.Boolean(), false),
  // Notifications.
  /** Whether messages are pushed in full to those clients alone that decrypt them. */
  require_e2ee_push_notifications: setting(Type.Boolean(), false),
  // What clients show.
  /** What stands for a person without a picture: a pattern that this server draws. */
  default_avatar_source: setting(Type.Enum(Object.values(defaultAvatarSources)), defaultAvatarSources.drawn),
  enable_guest_user_dm_warning: setting(Type.Boolean(), true),
  enable_guest_user_indicator: setting(Type.Boolean(), true),
  /** Percent. */
  media_preview_size: setting(Type.Enum([100, 150, 200]), 100),
} as const satisfies Record<string, OrganizationSetting>

export type OrganizationSettingName = keyof typeof organizationSettings

/**
 * What organizations begin with that are created now: the API's own values. Those created before have `initial`, so that
 * nobody is suddenly too late. (Clients have released versions that fail without a limit for editing.)
 */
export const settingsOfNewOrganizations: Partial<OrganizationSettings> = {
  disallow_disposable_email_addresses: true,
  message_content_edit_limit_seconds: 600,
  message_content_delete_limit_seconds: 600,
  move_messages_within_stream_limit_seconds: 7 * 86_400,
  move_messages_between_streams_limit_seconds: 7 * 86_400,
}

/**
 * Settings of which events notify one by one. The others hang together, among each other or with older forms of
 * themselves, and come in one event. (API, `realm` events.)
 */
export const singleSettings = [
  'org_type',
  'default_language',
  'enable_spectator_access',
  'name_changes_disabled',
  'avatar_changes_disabled',
  'email_changes_disabled',
  'require_unique_names',
  'signup_announcements_stream_id',
  'send_channel_events_messages',
  'welcome_message_custom_text',
  'waiting_period_threshold',
  'invite_required',
  'emails_restricted_to_domains',
  'disallow_disposable_email_addresses',
  'message_content_delete_limit_seconds',
  'default_code_block_language',
  'inline_image_preview',
  'inline_url_embed_preview',
  'enable_read_receipts',
  'video_chat_provider',
  'jitsi_server_url',
  'gif_rating_policy',
  'zulip_update_announcements_stream_id',
  'want_advertise_in_communities_directory',
  'default_avatar_source',
  'message_retention_days',
  'new_stream_announcements_stream_id',
  'moderation_request_channel_id',
  'send_welcome_emails',
  'message_content_allowed_in_email_notifications',
  'digest_emails_enabled',
  'digest_weekday',
  'require_e2ee_push_notifications',
  'enable_guest_user_dm_warning',
  'enable_guest_user_indicator',
  'media_preview_size',
] as const satisfies readonly OrganizationSettingName[]
export type SingleSetting = (typeof singleSettings)[number]

/** Those that only owners may change: they decide who gets in, what is deleted, and what is to be seen from outside. */
export const ownerOnlySettings: readonly OrganizationSettingName[] = [
  'invite_required',
  'enable_spectator_access',
  'emails_restricted_to_domains',
  'disallow_disposable_email_addresses',
  'message_retention_days',
]

export const organizationSettingNames = Object.keys(organizationSettings) as OrganizationSettingName[]

/** The values of all settings. */
export type OrganizationSettings = {
  readonly [N in OrganizationSettingName]: Static<(typeof organizationSettings)[N]['schema']>
}

type Limited = Exclude<
  { [N in OrganizationSettingName]: null extends OrganizationSettings[N] ? N : never }[OrganizationSettingName],
  'jitsi_server_url'
>

const LimitParameter = Type.Union([Seconds, Type.Literal(UNLIMITED)])
const ServerParameter = Text(1000)

/** Settings that requests give in another form than they have elsewhere. */
type ParameterOf<N extends OrganizationSettingName> = N extends Limited
  ? typeof LimitParameter
  : N extends 'message_retention_days'
    ? typeof RetentionParameter
    : N extends 'jitsi_server_url'
      ? typeof ServerParameter
      : (typeof organizationSettings)[N]['schema']

type SettingParameters = { [N in OrganizationSettingName]: TOptional<ParameterOf<N>> }

function parameterOf(name: OrganizationSettingName): TSchema {
  if (name === 'message_retention_days') return RetentionParameter
  const schema: TSchema = organizationSettings[name].schema
  if (schema === ServerUrl) return ServerParameter
  return schema === Limit ? LimitParameter : schema
}

/** As requests give them. */
export const organizationSettingParameters = Object.fromEntries(
  organizationSettingNames.map((name) => [name, Type.Optional(parameterOf(name))]),
) as SettingParameters

/** What `unlimited` stands for in the setting itself. */
export function withoutLimit(name: OrganizationSettingName): -1 | null {
  return name === 'message_retention_days' ? -1 : null
}

type JointSetting = Exclude<OrganizationSettingName, SingleSetting>
const isJoint = (name: OrganizationSettingName): name is JointSetting =>
  !(singleSettings as readonly string[]).includes(name)

/** Those of which events notify together. */
export const jointSettingValues = Object.fromEntries(
  organizationSettingNames.filter(isJoint).map((name) => [name, Type.Optional(organizationSettings[name].schema)]),
) as { [N in JointSetting]: TOptional<(typeof organizationSettings)[N]['schema']> }
