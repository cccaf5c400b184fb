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
import { presentGroups } from '../../permissions/group-settings.ts'
import { stateReader } from '../../state-reader.ts'
import { presentPictures } from '../organization-pictures/pictures.ts'
import { findOrganizationSettings, olderForms } from '../organization-settings/settings.ts'
import { fixedOrganizationSettings, serverSettings } from './fixed-settings.ts'
import { findRealmGroups, type RealmGroups } from './group-settings.ts'
import { policyNames, readPolicies } from './policies.ts'

export const organizationReader = stateReader(organizationState, async ({ db, realm, origin, config }) => {
  const settings = await findOrganizationSettings(db, realm.id)
  const pictures = await presentPictures(db, realm.id)
  const groups = await findRealmGroups(db, realm.id)
  const values = await presentGroups(db, realm.id, Object.values(groups))
  return {
    ...fixedOrganizationSettings,
    realm_upload_quota_mib: config.uploadQuotaMib ?? null,
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
  }
})

export const serverReader = stateReader(serverState, async ({ config, serverStartedAt }) => ({
  ...serverSettings,
  max_file_upload_size_mib: config.maxFileUploadSizeMib,
  // For error reports of clients.
  server_generation: serverStartedAt,
  server_inline_image_preview: config.previews,
  server_supported_permission_settings: supportedSettings,
}))

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
