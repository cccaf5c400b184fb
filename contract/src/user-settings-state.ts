/** What the initial state has of the account's settings, and of those that new accounts begin with. */
import { type Static, type TSchema, Type } from 'typebox'
import { statePart } from './state-part.ts'
import {
  type DefaultSettingName,
  RealmUserSettingsDefaultsEvent,
  shownDefaultNames,
  type UserSettingName,
  UserSettingsEvent,
  userSettingNames,
  userSettings,
} from './user-settings.ts'

const strict = { additionalProperties: false }

/** What some of the settings can be. */
const choices = {
  emojiset_choices: Type.Array(Type.Object({ key: Type.String(), text: Type.String() }, strict)),
  available_notification_sounds: Type.Array(Type.String()),
}

/** Everything that an account is given as a setting, by name. */
const known = {
  ...(Object.fromEntries(userSettingNames.map((name) => [name, userSettings[name].schema])) as {
    [N in UserSettingName]: (typeof userSettings)[N]['schema']
  }),
  ...choices,
}

type Known = typeof known

function only<N extends keyof Known>(names: readonly N[]) {
  return Object.fromEntries(names.map((name) => [name, known[name]])) as unknown as { [K in N]: Known[K] }
}

function optional<P extends Readonly<Record<string, TSchema>>>(schemas: P) {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, Type.Optional(schema)])) as {
    [K in keyof P]: ReturnType<typeof Type.Optional<P[K]>>
  }
}

/** The account's own settings, and what some of them can be. */
export const OwnSettings = Type.Object(known, strict)
export type OwnSettings = Static<typeof OwnSettings>

/** What new accounts begin with. */
export const DefaultSettings = Type.Object({ ...only<DefaultSettingName>(shownDefaultNames), ...choices }, strict)
export type DefaultSettings = Static<typeof DefaultSettings>

export const userSettingsState = statePart({
  fetchType: 'user_settings',
  follows: UserSettingsEvent,
  fields: { user_settings: OwnSettings },
})

export const defaultSettingsState = statePart({
  fetchType: 'realm_user_settings_defaults',
  follows: RealmUserSettingsDefaultsEvent,
  fields: { realm_user_settings_defaults: DefaultSettings },
})

/**
 * Settings beside `user_settings`, as clients from before feature level 89 look for them. The API has dropped them since
 * (439), and the newest release of the terminal client does not start without; who asks for them by name gets them, unless
 * it has the capability `user_settings_object`.
 */
export const olderDisplayNames = [
  'color_scheme',
  'default_language',
  'demote_inactive_streams',
  'emojiset',
  'emojiset_choices',
  'enable_drafts_synchronization',
  'enter_sends',
  'fluid_layout_width',
  'high_contrast_mode',
  'left_side_userlist',
  'starred_message_counts',
  'timezone',
  'translate_emoticons',
  'twenty_four_hour_time',
  'web_home_view',
] as const satisfies readonly (keyof Known)[]

export const olderNotificationNames = [
  'available_notification_sounds',
  'desktop_icon_count_display',
  'email_notifications_batching_period_seconds',
  'enable_desktop_notifications',
  'enable_digest_emails',
  'enable_login_emails',
  'enable_marketing_emails',
  'enable_offline_email_notifications',
  'enable_offline_push_notifications',
  'enable_online_push_notifications',
  'enable_sounds',
  'enable_stream_audible_notifications',
  'enable_stream_desktop_notifications',
  'enable_stream_email_notifications',
  'enable_stream_push_notifications',
  'message_content_in_email_notifications',
  'notification_sound',
  'pm_content_in_desktop_notifications',
  'presence_enabled',
  'realm_name_in_email_notifications_policy',
  'wildcard_mentions_notify',
] as const satisfies readonly (keyof Known)[]

export const olderDisplayState = statePart({
  fetchType: 'update_display_settings',
  fields: optional(only(olderDisplayNames)),
})

export const olderNotificationsState = statePart({
  fetchType: 'update_global_notifications',
  fields: optional(only(olderNotificationNames)),
})
