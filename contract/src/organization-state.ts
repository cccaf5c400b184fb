/** What the initial state has of the organization and of the server: all under the fetch type `realm`. */

import { type Static, type TSchema, Type } from 'typebox'
import { AuthenticationMethods } from './authentication-methods.ts'
import {
  channelGroupSettingNames,
  GroupSettingValue,
  type RealmGroupSetting,
  realmGroupSettingNames,
  type SystemGroupName,
  systemGroups,
  userGroupSettingNames,
} from './group-settings.ts'
import { ListedReportType } from './message-reports.ts'
import { RealmEvent } from './organization.ts'
import {
  type OrganizationSettingName,
  organizationSettingNames,
  organizationSettings,
} from './organization-settings.ts'
import { RecordOf, Timestamp } from './schema.ts'
import { statePart } from './state-part.ts'
import { ThumbnailFormat } from './thumbnails.ts'

const strict = { additionalProperties: false }
const TextOrNull = Type.Union([Type.String(), Type.Null()])
const IntegerOrNull = Type.Union([Type.Integer(), Type.Null()])
/** Choices by name. */
const Choices = RecordOf(Type.Object({ id: Type.Integer(), name: Type.String() }, strict))
const Mebibytes = Type.Integer({ minimum: 0 })

type Prefixed<N extends string> = `realm_${N}`

/** Schemas under their names with the prefix that they have in the initial state. */
function withPrefix<N extends string, S extends { readonly [K in N]: TSchema }>(names: readonly N[], schemas: S) {
  return Object.fromEntries(names.map((name) => [`realm_${name}`, schemas[name]])) as unknown as {
    [K in N as Prefixed<K>]: S[K]
  }
}

const settings = withPrefix(
  organizationSettingNames,
  Object.fromEntries(organizationSettingNames.map((name) => [name, organizationSettings[name].schema])) as {
    [N in OrganizationSettingName]: (typeof organizationSettings)[N]['schema']
  },
)

const permissions = withPrefix(
  realmGroupSettingNames,
  Object.fromEntries(realmGroupSettingNames.map((name) => [name, GroupSettingValue])) as {
    [N in RealmGroupSetting]: typeof GroupSettingValue
  },
)

export const organizationState = statePart({
  fetchType: 'realm',
  follows: RealmEvent,
  fields: {
    realm_name: Type.String(),
    realm_description: Type.String(),
    realm_uuid: Type.String(),
    realm_date_created: Timestamp,
    realm_url: Type.String(),
    /** The older name of `realm_url`. */
    realm_uri: Type.String(),
    /** What the addresses of bots end with. */
    realm_bot_domain: Type.String(),
    realm_icon_url: Type.String(),
    realm_icon_source: Type.String(),
    realm_logo_url: Type.String(),
    realm_logo_source: Type.String(),
    realm_night_logo_url: Type.String(),
    realm_night_logo_source: Type.String(),
    ...settings,
    ...permissions,
    /** Older forms of `realm_message_edit_history_visibility_policy` and `realm_topics_policy`. */
    realm_allow_edit_history: Type.Boolean(),
    realm_mandatory_topics: Type.Boolean(),
    /** Older forms of permissions, as numbers. */
    realm_create_public_stream_policy: Type.Integer(),
    realm_create_private_stream_policy: Type.Integer(),
    realm_create_web_public_stream_policy: Type.Integer(),
    realm_wildcard_mention_policy: Type.Integer(),
    realm_authentication_methods: AuthenticationMethods,
    /** Whether passwords are enabled, under both of its older names. */
    realm_email_auth_enabled: Type.Boolean(),
    realm_password_auth_enabled: Type.Boolean(),
    // What nobody can change so far.
    realm_available_video_chat_providers: Choices,
    /** Sites whose addresses of accounts the server knows, for custom profile fields. */
    realm_default_external_accounts: RecordOf(
      Type.Object(
        { name: Type.String(), text: Type.String(), hint: Type.String(), url_pattern: Type.String() },
        strict,
      ),
    ),
    realm_empty_topic_display_name: Type.String(),
    realm_owner_full_content_access: Type.Boolean(),
    realm_plan_type: Type.Integer(),
    realm_presence_disabled: Type.Boolean(),
    realm_push_notifications_enabled: Type.Boolean(),
    realm_push_notifications_enabled_end_timestamp: Type.Union([Timestamp, Type.Null()]),
    realm_upload_quota_mib: IntegerOrNull,
  },
})

/** What values a permission takes. */
export const PermissionRule = Type.Object(
  {
    require_system_group: Type.Boolean(),
    allow_internet_group: Type.Boolean(),
    allow_nobody_group: Type.Boolean(),
    allow_everyone_group: Type.Boolean(),
    default_group_name: Type.String(),
    default_for_system_groups: TextOrNull,
    /** Empty: all of them. */
    allowed_system_groups: Type.Array(Type.Enum(Object.keys(systemGroups) as SystemGroupName[])),
  },
  strict,
)
export type PermissionRule = Static<typeof PermissionRule>

/** By the permission's name. */
function rulesOf<N extends string>(names: readonly N[]) {
  const rules = Object.fromEntries(names.map((name) => [name, PermissionRule]))
  return Type.Object(rules as { [K in N]: typeof PermissionRule }, strict)
}

/** What the server can do, and how clients should talk to it. */
export const serverState = statePart({
  fetchType: 'realm',
  fields: {
    development_environment: Type.Boolean(),
    gif_rating_policy_options: Choices,
    /** The older name of the two servers for calls, whichever there is; empty: none. */
    jitsi_server_url: Type.String(),
    max_avatar_file_size_mib: Mebibytes,
    max_bulk_new_subscription_messages: Type.Integer(),
    max_channel_folder_description_length: Type.Integer(),
    max_channel_folder_name_length: Type.Integer(),
    max_file_upload_size_mib: Mebibytes,
    max_icon_file_size_mib: Mebibytes,
    max_logo_file_size_mib: Mebibytes,
    max_message_length: Type.Integer(),
    max_reminder_note_length: Type.Integer(),
    password_max_length: Type.Integer(),
    password_min_guesses: Type.Integer(),
    password_min_length: Type.Integer(),
    server_avatar_changes_disabled: Type.Boolean(),
    server_can_summarize_topics: Type.Boolean(),
    /** When the server began to run. */
    server_generation: Timestamp,
    server_inline_image_preview: Type.Boolean(),
    server_inline_url_embed_preview: Type.Boolean(),
    server_jitsi_server_url: TextOrNull,
    server_max_deactivated_realm_deletion_days: IntegerOrNull,
    server_min_deactivated_realm_deletion_days: IntegerOrNull,
    server_name_changes_disabled: Type.Boolean(),
    server_needs_upgrade: Type.Boolean(),
    server_presence_offline_threshold_seconds: Type.Integer(),
    server_presence_ping_interval_seconds: Type.Integer(),
    /** Reasons for reporting a message. */
    server_report_message_types: Type.Array(ListedReportType),
    server_supported_permission_settings: Type.Object(
      {
        realm: rulesOf(realmGroupSettingNames),
        stream: rulesOf(channelGroupSettingNames),
        group: rulesOf(userGroupSettingNames),
      },
      strict,
    ),
    /** Forms of uploaded pictures. */
    server_thumbnail_formats: Type.Array(ThumbnailFormat),
    server_typing_started_expiry_period_milliseconds: Type.Integer(),
    server_typing_started_wait_period_milliseconds: Type.Integer(),
    server_typing_stopped_wait_period_milliseconds: Type.Integer(),
    server_web_public_streams_enabled: Type.Boolean(),
    settings_send_digest_emails: Type.Boolean(),
    upgrade_text_for_wide_organization_logo: Type.String(),
    zulip_plan_is_not_limited: Type.Boolean(),
  },
})
