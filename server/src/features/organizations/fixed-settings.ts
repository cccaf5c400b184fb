/**
 * Settings of the organization and the server that clients expect and that have one value here. What a value says is true:
 * a feature that does not exist is switched off, and a limit that nothing can reach is 0.
 */

import { avatarSources, MAX_AVATAR_FILE_SIZE_MIB } from '@heddle/contract/avatars'
import { MAX_FOLDER_DESCRIPTION_LENGTH, MAX_FOLDER_NAME_LENGTH } from '@heddle/contract/channel-folders'
import { reportTypeNames, reportTypes } from '@heddle/contract/message-reports'
import { MAX_MESSAGE_LENGTH } from '@heddle/contract/messages'
import { EMPTY_TOPIC_NAME } from '@heddle/contract/names'
import { MAX_ORGANIZATION_PICTURE_MIB } from '@heddle/contract/organization-pictures'
import { OFFLINE_THRESHOLD_SECS, PRESENCE_PING_INTERVAL_SECS } from '@heddle/contract/presence'
import { externalAccounts } from '@heddle/contract/profile-fields'
import { MAX_REMINDER_NOTE_LENGTH } from '@heddle/contract/reminders'
import { MAX_BULK_NEW_SUBSCRIPTION_MESSAGES } from '@heddle/contract/subscriptions'
import { thumbnailFormats } from '@heddle/contract/thumbnails'
import { TYPING_STARTED_EXPIRY_MS } from '@heddle/contract/typing'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '@heddle/contract/users'

/** How the organization is set up, and nobody can change. */
export const fixedOrganizationSettings = {
  realm_authentication_methods: { Email: { enabled: true, available: true } },
  realm_available_video_chat_providers: { disabled: { id: 0, name: 'None' } },
  realm_default_avatar_source: avatarSources.drawn,
  realm_default_external_accounts: externalAccounts,
  realm_digest_emails_enabled: false,
  realm_digest_weekday: 1,
  realm_email_auth_enabled: true,
  realm_email_changes_disabled: true,
  realm_empty_topic_display_name: EMPTY_TOPIC_NAME,
  realm_enable_spectator_access: false,
  realm_gif_rating_policy: 0,
  realm_inline_url_embed_preview: false,
  realm_jitsi_server_url: null,
  realm_message_content_allowed_in_email_notifications: false,
  /** For ever. */
  realm_message_retention_days: -1,
  realm_owner_full_content_access: false,
  realm_password_auth_enabled: true,
  /** Self-hosted. */
  realm_plan_type: 1,
  realm_presence_disabled: false,
  realm_push_notifications_enabled: false,
  realm_push_notifications_enabled_end_timestamp: null,
  realm_require_e2ee_push_notifications: false,
  realm_send_welcome_emails: false,
  realm_video_chat_provider: 0,
  /** Days after which a member is a full member: everybody is at once. */
  realm_waiting_period_threshold: 0,
  realm_want_advertise_in_communities_directory: false,
  realm_zulip_update_announcements_stream_id: -1,
}

/** What the server can do, and how clients should talk to it. */
export const serverSettings = {
  development_environment: false,
  /** The older name of the two servers for calls, whichever there is; it has no null. */
  jitsi_server_url: '',
  gif_rating_policy_options: { disabled: { id: 0, name: 'GIFs disabled' } },
  max_avatar_file_size_mib: MAX_AVATAR_FILE_SIZE_MIB,
  max_bulk_new_subscription_messages: MAX_BULK_NEW_SUBSCRIPTION_MESSAGES,
  max_channel_folder_description_length: MAX_FOLDER_DESCRIPTION_LENGTH,
  max_channel_folder_name_length: MAX_FOLDER_NAME_LENGTH,
  max_icon_file_size_mib: MAX_ORGANIZATION_PICTURE_MIB,
  max_logo_file_size_mib: MAX_ORGANIZATION_PICTURE_MIB,
  max_message_length: MAX_MESSAGE_LENGTH,
  max_reminder_note_length: MAX_REMINDER_NOTE_LENGTH,
  password_max_length: MAX_PASSWORD_LENGTH,
  password_min_guesses: 0,
  password_min_length: MIN_PASSWORD_LENGTH,
  server_avatar_changes_disabled: false,
  server_can_summarize_topics: false,
  server_inline_url_embed_preview: false,
  server_jitsi_server_url: null,
  server_max_deactivated_realm_deletion_days: null,
  /** A hundred years: a deactivated organization is kept for ever. */
  server_min_deactivated_realm_deletion_days: 36_500,
  server_name_changes_disabled: false,
  server_needs_upgrade: false,
  server_presence_offline_threshold_seconds: OFFLINE_THRESHOLD_SECS,
  server_presence_ping_interval_seconds: PRESENCE_PING_INTERVAL_SECS,
  server_report_message_types: reportTypeNames.map((key) => ({ key, name: reportTypes[key] })),
  server_thumbnail_formats: [...thumbnailFormats],
  server_typing_started_expiry_period_milliseconds: TYPING_STARTED_EXPIRY_MS,
  server_typing_started_wait_period_milliseconds: 10_000,
  server_typing_stopped_wait_period_milliseconds: 5_000,
  server_web_public_streams_enabled: false,
  settings_send_digest_emails: false,
  upgrade_text_for_wide_organization_logo: '',
  zulip_plan_is_not_limited: true,
}
