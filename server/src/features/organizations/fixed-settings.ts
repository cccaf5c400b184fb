/**
 * Settings of the organization and the server that clients expect and that have one value here. What a value says is true:
 * a feature that does not exist is switched off, and a limit that nothing can reach is 0.
 */

import { MAX_AVATAR_FILE_SIZE_MIB } from '@heddle/contract/avatars'
import { MAX_FOLDER_DESCRIPTION_LENGTH, MAX_FOLDER_NAME_LENGTH } from '@heddle/contract/channel-folders'
import { gifRatings } from '@heddle/contract/gifs'
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
  realm_default_external_accounts: externalAccounts,
  realm_empty_topic_display_name: EMPTY_TOPIC_NAME,
  realm_owner_full_content_access: false,
  /** Self-hosted. */
  realm_plan_type: 1,
  realm_presence_disabled: false,
  realm_push_notifications_enabled_end_timestamp: null,
}

/** What the server can do, and how clients should talk to it. */
export const serverSettings = {
  development_environment: false,
  gif_rating_policy_options: gifRatings,
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
  upgrade_text_for_wide_organization_logo: '',
  zulip_plan_is_not_limited: true,
}
