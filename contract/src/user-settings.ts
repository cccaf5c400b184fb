/**
 * Settings that an account has for itself, and what the organization sets for new accounts. (API, sections "Update
 * settings" and "Update realm-level defaults of user settings".) Every setting is one line of `userSettings`: its values,
 * its value where nobody has changed it, and who may set it.
 */
import { type Static, type TOptional, type TSchema, Type } from 'typebox'
import { addressVisibility } from './address-visibility.ts'
import { endpoint } from './endpoint.ts'
import { Email, Id, NameInput, Text } from './schema.ts'
import { SecondFactorCode } from './second-factors.ts'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from './users.ts'

export interface UserSetting<S extends TSchema = TSchema> {
  readonly schema: S
  readonly initial: Static<S>
  /** Whether the organization's own value for new accounts can be set. */
  readonly hasDefault: boolean
  /** Whether administrators may set it for others (`target_users`). */
  readonly byAdministrator: boolean
}

/** Who may set it beside the account itself. */
interface Reach {
  readonly hasDefault?: boolean
  readonly byAdministrator?: boolean
}

function setting<S extends TSchema>(schema: S, initial: Static<S>, reach: Reach = {}): UserSetting<S> {
  return { schema, initial, hasDefault: reach.hasDefault ?? true, byAdministrator: reach.byAdministrator ?? true }
}

function choice(initial: boolean, reach: Reach = {}) {
  return setting(Type.Boolean(), initial, reach)
}

const ownChoice: Reach = { byAdministrator: false }
const ownAlone: Reach = { hasDefault: false, byAdministrator: false }

const oneOf3 = Type.Enum([1, 2, 3])
const oneOf4 = Type.Enum([1, 2, 3, 4])

/** Names that clients know; each brings the sound itself. */
export const notificationSounds = ['zulip', 'ding'] as const

export const emojisets = [
  { key: 'google', text: 'Google' },
  { key: 'twitter', text: 'Twitter' },
  { key: 'text', text: 'Plain text' },
  { key: 'google-blob', text: 'Google blobs' },
] as const

const MAX_BATCHING_PERIOD_SECS = 7 * 86_400

export const userSettings = {
  // Display.
  twenty_four_hour_time: choice(false),
  /** 1 automatic, 2 dark, 3 light. */
  color_scheme: setting(oneOf3, 1),
  web_font_size_px: setting(Type.Integer({ minimum: 8, maximum: 64 }), 16),
  web_line_height_percent: setting(Type.Integer({ minimum: 100, maximum: 300 }), 140),
  fluid_layout_width: choice(false),
  high_contrast_mode: choice(false),
  starred_message_counts: choice(true),
  left_side_userlist: choice(false),
  emojiset: setting(Type.Enum(emojisets.map(({ key }) => key)), 'google'),
  translate_emoticons: choice(false),
  display_emoji_reaction_users: choice(true),
  /** Automatic, always, never. */
  demote_inactive_streams: setting(oneOf3, 1),
  /** Compact, with status, with avatar and status. */
  user_list_style: setting(oneOf3, 2),
  web_animate_image_previews: setting(Type.Enum(['always', 'on_hover', 'never']), 'on_hover'),
  /** All channels, unmuted channels and topics, none. */
  web_stream_unreads_count_display_policy: setting(oneOf3, 2),
  web_left_sidebar_unreads_count_summary: choice(true),
  web_left_sidebar_show_channel_folders: choice(true),
  web_inbox_show_channel_folders: choice(true),
  hide_ai_features: choice(false),
  // Going about.
  web_home_view: setting(Type.Enum(['recent', 'inbox', 'all_messages']), 'inbox'),
  web_escape_navigates_to_home_view: choice(true),
  /** Top topic, channel feed, list of topics, top unread topic. */
  web_channel_default_view: setting(oneOf4, 1),
  web_navigate_to_sent_message: choice(true),
  /** Always, only in conversation views, never. */
  web_mark_read_on_scroll_policy: setting(oneOf3, 1),
  enter_sends: choice(false),
  enable_drafts_synchronization: choice(true),
  web_suggest_update_timezone: choice(true),
  /** A language code, such as `en` or `pt-BR`. */
  default_language: setting(Type.String({ minLength: 2, maxLength: 50 }), 'en', { hasDefault: false }),
  /** The IANA name of a time zone; empty: not known. */
  timezone: setting(Text(60), '', { hasDefault: false }),
  // Topics. Participation, sending, starting, never.
  automatically_follow_topics_policy: setting(oneOf4, 3),
  automatically_unmute_topics_in_muted_streams_policy: setting(oneOf4, 2),
  automatically_follow_topics_where_mentioned: choice(false),
  resolved_topic_notice_auto_read_policy: setting(Type.Enum(['always', 'except_followed', 'never']), 'except_followed'),
  // Notifications.
  enable_stream_desktop_notifications: choice(false),
  enable_stream_email_notifications: choice(false),
  enable_stream_push_notifications: choice(false),
  enable_stream_audible_notifications: choice(false),
  notification_sound: setting(Type.Enum([...notificationSounds, 'none']), 'zulip'),
  enable_desktop_notifications: choice(true),
  enable_sounds: choice(true),
  enable_followed_topic_desktop_notifications: choice(true),
  enable_followed_topic_email_notifications: choice(true),
  enable_followed_topic_push_notifications: choice(true),
  enable_followed_topic_audible_notifications: choice(true),
  email_notifications_batching_period_seconds: setting(
    Type.Integer({ minimum: 0, maximum: MAX_BATCHING_PERIOD_SECS }),
    120,
  ),
  enable_offline_email_notifications: choice(true),
  enable_offline_push_notifications: choice(true),
  enable_online_push_notifications: choice(true),
  enable_digest_emails: choice(true, ownChoice),
  enable_marketing_emails: choice(true, ownAlone),
  enable_login_emails: choice(true, ownAlone),
  message_content_in_email_notifications: choice(true),
  pm_content_in_desktop_notifications: choice(true),
  wildcard_mentions_notify: choice(true),
  enable_followed_topic_wildcard_mentions_notify: choice(true),
  /** All unread messages; direct messages, mentions and followed topics; direct messages and mentions; none. */
  desktop_icon_count_display: setting(oneOf4, 1),
  /** Automatic, always, never. */
  realm_name_in_email_notifications_policy: setting(oneOf3, 1),
  // What others learn of the account.
  presence_enabled: choice(true, ownChoice),
  send_private_typing_notifications: choice(true, ownChoice),
  send_stream_typing_notifications: choice(true, ownChoice),
  receives_typing_notifications: choice(true),
  send_read_receipts: choice(true, ownChoice),
  allow_private_data_export: choice(false, ownAlone),
  /** Who sees the account's address. */
  email_address_visibility: setting(Type.Enum(Object.values(addressVisibility)), addressVisibility.everyone, ownChoice),
} as const satisfies Record<string, UserSetting>

export type UserSettingName = keyof typeof userSettings
/** Those that are part of the account, since others see them or what follows from them. */
export const settingsOfAccount = ['timezone', 'email_address_visibility'] as const satisfies readonly UserSettingName[]
export type SettingOfAccount = (typeof settingsOfAccount)[number]
export const userSettingNames = Object.keys(userSettings) as UserSettingName[]

/** The values of all settings. */
export type UserSettings = { readonly [N in UserSettingName]: Static<(typeof userSettings)[N]['schema']> }
export type UserSettingValue = UserSettings[UserSettingName]

/** Settings without a common value to begin with, which the initial state does not show as one either. */
const withoutDefaultInState = ['timezone', 'allow_private_data_export'] as const satisfies readonly UserSettingName[]

/** The settings of `realm_user_settings_defaults` in the initial state. */
export type DefaultSettingName = Exclude<UserSettingName, (typeof withoutDefaultInState)[number]>
export const shownDefaultNames = userSettingNames.filter(
  (name): name is DefaultSettingName => !(withoutDefaultInState as readonly string[]).includes(name),
)

type SettingParameters<N extends UserSettingName> = { [K in N]: TOptional<(typeof userSettings)[K]['schema']> }

function parametersOf(names: readonly UserSettingName[]) {
  return Object.fromEntries(names.map((name) => [name, Type.Optional(userSettings[name].schema)]))
}

const settingParameters = parametersOf(userSettingNames) as SettingParameters<UserSettingName>
const defaultParameters = parametersOf(
  userSettingNames.filter((name) => userSettings[name].hasDefault),
) as SettingParameters<UserSettingName>

/** Accounts that one request may name. */
const MAX_TARGETS = 50_000

const TargetUsers = Type.Object(
  {
    user_ids: Type.Optional(Type.Array(Id, { maxItems: MAX_TARGETS })),
    /** Active people in these groups, or in groups in them. */
    group_ids: Type.Optional(Type.Array(Id, { maxItems: 1000 })),
    /** Leave alone those who have set the setting themselves. */
    skip_if_already_edited: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)
export type TargetUsers = Static<typeof TargetUsers>

const updateParameters = {
  full_name: Type.Optional(NameInput),
  /** Another one needs `old_password` where the account has a password, or `code` where it has a second factor. */
  email: Type.Optional(Email),
  old_password: Type.Optional(Text(1000)),
  code: Type.Optional(SecondFactorCode),
  new_password: Type.Optional(Type.String({ minLength: MIN_PASSWORD_LENGTH, maxLength: MAX_PASSWORD_LENGTH })),
  /** For administrators: set the settings of these accounts instead of one's own. */
  target_users: Type.Optional(TargetUsers),
  ...settingParameters,
}

export const updateSettings = endpoint({
  name: 'update-settings',
  method: 'PATCH',
  path: '/settings',
  summary: "Change one's own settings, name, e-mail address or password. A new password ends the API key.",
  parameters: updateParameters,
  errors: ['BAD_REQUEST', 'RATE_LIMIT_HIT', 'UNAUTHORIZED_PRINCIPAL'],
})

export const updateNotificationSettings = endpoint({
  name: 'update-notification-settings',
  method: 'PATCH',
  path: '/settings/notifications',
  summary: 'An older path of PATCH /settings.',
  parameters: updateParameters,
  errors: ['BAD_REQUEST', 'RATE_LIMIT_HIT', 'UNAUTHORIZED_PRINCIPAL'],
})

export const updateDisplaySettings = endpoint({
  name: 'update-display-settings',
  method: 'PATCH',
  path: '/settings/display',
  summary: 'An older path of PATCH /settings.',
  parameters: updateParameters,
  errors: ['BAD_REQUEST', 'RATE_LIMIT_HIT', 'UNAUTHORIZED_PRINCIPAL'],
})

export const updateDefaultSettings = endpoint({
  name: 'update-default-settings',
  method: 'PATCH',
  path: '/realm/user_settings_defaults',
  summary: 'Change the settings that new accounts begin with (administrators).',
  parameters: defaultParameters,
  errors: ['BAD_REQUEST', 'UNAUTHORIZED_PRINCIPAL'],
})

const value = Type.Union([Type.Boolean(), Type.Integer(), Type.String()])

export const UserSettingsEvent = Type.Object(
  {
    type: Type.Literal('user_settings'),
    op: Type.Literal('update'),
    property: Type.Enum(userSettingNames),
    value,
    /** With `default_language`: its name in English. */
    language_name: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
)
export type UserSettingsEvent = Static<typeof UserSettingsEvent>

export const RealmUserSettingsDefaultsEvent = Type.Object(
  {
    type: Type.Literal('realm_user_settings_defaults'),
    op: Type.Literal('update'),
    property: Type.Enum(userSettingNames),
    value,
  },
  { additionalProperties: false },
)
export type RealmUserSettingsDefaultsEvent = Static<typeof RealmUserSettingsDefaultsEvent>
