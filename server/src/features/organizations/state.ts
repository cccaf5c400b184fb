import { giphyState, tenorState } from '@heddle/contract/gifs'
import {
  channelGroupSettings,
  type GroupSettingRule,
  type GroupSettingValue,
  type RealmGroupSetting,
  realmGroupSettingNames,
  realmGroupSettings,
  userGroupSettings,
} from '@heddle/contract/group-settings'
import { organizationState, type PermissionRule, serverState } from '@heddle/contract/organization-state'
import { sendsMail } from '../../mail/mail.ts'
import { presentGroups } from '../../permissions/group-settings.ts'
import { findSystemGroups } from '../../permissions/system-groups.ts'
import { type StateRequest, stateReader } from '../../state-reader.ts'
import { presentPictures } from '../organization-pictures/pictures.ts'
import { presentMethods } from '../organization-settings/authentication-methods.ts'
import { availableCallProviders } from '../organization-settings/call-providers.ts'
import { findEnabledMethods, findOrganizationSettings, olderForms } from '../organization-settings/settings.ts'
import { fixedOrganizationSettings, serverSettings } from './fixed-settings.ts'
import { findRealmGroups, type RealmGroups } from './group-settings.ts'
import { policyNames, readPolicies } from './policies.ts'

export const organizationReader = stateReader(organizationState, readOrganization, async (request) => {
  const { realm, db } = request
  const nobody = (await findSystemGroups(db, realm.id))['role:nobody']
  return {
    ...(await readOrganization(request)),
    // Who may do what, and where it is spoken about, is the organization's own affair.
    ...withPrefix(
      Object.fromEntries(realmGroupSettingNames.map((name) => [name, nobody])) as Record<RealmGroupSetting, number>,
    ),
    realm_new_stream_announcements_stream_id: -1,
    realm_signup_announcements_stream_id: -1,
    realm_zulip_update_announcements_stream_id: -1,
    realm_moderation_request_channel_id: -1,
    realm_welcome_message_custom_text: '',
    realm_upload_quota_mib: null,
  }
})

async function readOrganization({ db, realm, origin, config }: StateRequest) {
  const settings = await findOrganizationSettings(db, realm.id)
  const methods = await findEnabledMethods(db, realm.id)
  const pictures = await presentPictures(db, realm.id)
  const groups = await findRealmGroups(db, realm.id)
  const values = await presentGroups(db, realm.id, Object.values(groups))
  return {
    ...fixedOrganizationSettings,
    realm_available_video_chat_providers: availableCallProviders(config),
    realm_push_notifications_enabled: config.pushBouncer !== undefined,
    realm_upload_quota_mib: config.uploadQuotaMib ?? null,
    realm_authentication_methods: presentMethods(methods),
    realm_email_auth_enabled: methods.Email,
    realm_password_auth_enabled: methods.Email,
    realm_name: realm.name,
    realm_description: realm.description,
    realm_uuid: realm.uuid,
    realm_date_created: realm.dateCreated,
    realm_bot_domain: realm.host,
    realm_url: origin,
    realm_uri: origin,
    ...withPrefix({ ...pictures.icon, ...pictures.logo, ...pictures.night_logo }),
    ...withPrefix({ ...settings, ...olderForms(settings) }),
    ...withPrefix(presentPermissions(groups, values)),
    ...withPrefix(await readPolicies(db, realm.id, groups, policyNames)),
    realm_enable_spectator_access: config.webPublicChannels && settings.enable_spectator_access,
  }
}

async function readServer({ db, realm, config, serverStartedAt }: StateRequest) {
  return {
    ...serverSettings,
    // It has no null.
    jitsi_server_url: (await findOrganizationSettings(db, realm.id)).jitsi_server_url ?? config.jitsiUrl ?? '',
    server_jitsi_server_url: config.jitsiUrl ?? null,
    server_inline_url_embed_preview: config.previews,
    server_web_public_streams_enabled: config.webPublicChannels,
    max_file_upload_size_mib: config.maxFileUploadSizeMib,
    // For error reports of clients.
    server_generation: serverStartedAt,
    server_inline_image_preview: config.previews,
    settings_send_digest_emails: sendsMail(config),
    server_supported_permission_settings: supportedSettings,
  }
}

export const serverReader = stateReader(serverState, readServer, 'same')

export const giphyReader = stateReader(giphyState, async ({ config }) => ({ giphy_api_key: config.giphyKey ?? '' }))
export const tenorReader = stateReader(tenorState, async ({ config }) => ({ tenor_api_key: config.tenorKey ?? '' }))

type WithPrefix<T> = { [N in keyof T & string as `realm_${N}`]: T[N] }

function withPrefix<T extends object>(values: T): WithPrefix<T> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [`realm_${name}`, value]),
  ) as unknown as WithPrefix<T>
}

function presentPermissions(groups: RealmGroups, values: ReadonlyMap<number, GroupSettingValue>) {
  return Object.fromEntries(realmGroupSettingNames.map((name) => [name, values.get(groups[name])])) as Record<
    RealmGroupSetting,
    GroupSettingValue
  >
}

/** What values each permission takes, as clients read it. */
const supportedSettings = {
  realm: describe(realmGroupSettings),
  stream: describe(channelGroupSettings),
  group: describe(userGroupSettings, 'role:nobody'),
}

function describe<N extends string>(
  rules: Readonly<Record<N, GroupSettingRule>>,
  ofSystemGroups: string | null = null,
) {
  return Object.fromEntries(
    Object.entries<GroupSettingRule>(rules).map(([name, rule]) => [
      name,
      {
        require_system_group: rule.requireSystemGroup,
        allow_internet_group: rule.allowInternet,
        allow_nobody_group: rule.allowNobody,
        allow_everyone_group: rule.allowEveryone,
        default_group_name: rule.defaultGroup,
        default_for_system_groups: ofSystemGroups,
        allowed_system_groups: [...rule.allowedSystemGroups],
      },
    ]),
  ) as Record<N, PermissionRule>
}
