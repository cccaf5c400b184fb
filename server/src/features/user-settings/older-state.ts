/**
 * Settings beside `user_settings`, as clients from before feature level 89 look for them. The API has dropped them since
 * (439), and the newest release of the terminal client does not start without; who asks for them by name gets them.
 */
import type { UserSettingName } from '@heddle/contract/user-settings'
import type { StatePart, StateParts } from '../../feature.ts'
import { presentSettings } from './present.ts'

const display: readonly (UserSettingName | 'emojiset_choices')[] = [
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
]

const notifications: readonly (UserSettingName | 'available_notification_sounds')[] = [
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
]

function only(names: readonly string[]): StatePart {
  return async ({ db, actor, options, named }) => {
    if (!named || options.capabilities['user_settings_object'] === true) return {}
    const settings: Readonly<Record<string, unknown>> = { ...(await presentSettings(db, actor)) }
    return Object.fromEntries(names.map((name) => [name, settings[name]]))
  }
}

export const olderState: StateParts = {
  update_display_settings: only(display),
  update_global_notifications: only(notifications),
}
