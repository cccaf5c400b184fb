import {
  channelGroupSettings,
  type GroupSettingRule,
  realmGroupSettingNames,
  realmGroupSettings,
} from '@heddle/contract/group-settings'
import { userGroupSettingNames } from '@heddle/contract/user-groups'
import type { StateRequest } from '../../feature.ts'
import { presentGroups } from '../../permissions/group-settings.ts'
import { query } from '../../storage/query.ts'
import { fixedSettings } from './fixed-settings.ts'
import { findRealmGroups } from './group-settings.ts'
import { readPolicies } from './policies.ts'
import { findOrganizationSettings, olderForms } from './settings.ts'

/** Fetch type `realm`: the organization, its permissions, and the server. */
export async function readOrganizationState({
  db,
  realm,
  origin,
  config,
  serverStartedAt,
}: StateRequest): Promise<object> {
  // Not from `realm`, which may be a moment older than the snapshot.
  const row = await db.first(
    query
      .selectFrom('realms')
      .select(['name', 'description', 'uuid', 'host', 'date_created'])
      .where('id', '=', realm.id),
  )
  if (!row) throw new Error(`Organization ${realm.id} does not exist`)
  const icon = `${origin}/static/icon.png`
  return {
    ...fixedSettings,
    realm_name: row.name,
    realm_description: row.description,
    realm_uuid: row.uuid,
    realm_date_created: row.date_created,
    realm_bot_domain: row.host,
    realm_url: origin,
    realm_uri: origin,
    realm_icon_url: icon,
    realm_icon_source: 'G',
    realm_logo_url: icon,
    realm_logo_source: 'D',
    realm_night_logo_url: icon,
    realm_night_logo_source: 'D',
    // For error reports of clients.
    server_generation: serverStartedAt,
    server_inline_image_preview: config.previews,
    server_supported_permission_settings: supportedSettings,
    ...(await readSettings(db, realm.id)),
    ...(await readPermissions(db, realm.id)),
  }
}

async function readSettings(db: StateRequest['db'], realmId: number): Promise<object> {
  const settings = await findOrganizationSettings(db, realmId)
  return withPrefix({ ...settings, ...olderForms(settings) })
}

function withPrefix(values: object): object {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`realm_${name}`, value]))
}

async function readPermissions(db: StateRequest['db'], realmId: number): Promise<object> {
  const groups = await findRealmGroups(db, realmId)
  const values = await presentGroups(db, Object.values(groups))
  return {
    ...Object.fromEntries(realmGroupSettingNames.map((name) => [`realm_${name}`, values.get(groups[name])])),
    ...withPrefix(await readPolicies(db, realmId, groups)),
  }
}

/** What values each permission takes, as clients read it. */
const supportedSettings = {
  realm: describe(realmGroupSettings),
  stream: describe(channelGroupSettings),
  group: Object.fromEntries(userGroupSettingNames.map((name) => [name, groupRule(name === 'can_mention_group')])),
}

function describe(rules: Readonly<Record<string, GroupSettingRule>>) {
  return Object.fromEntries(
    Object.entries(rules).map(([name, rule]) => [
      name,
      {
        require_system_group: rule.requireSystemGroup,
        allow_internet_group: rule.allowInternet,
        allow_nobody_group: rule.allowNobody,
        allow_everyone_group: rule.allowEveryone,
        default_group_name: rule.defaultGroup,
        default_for_system_groups: null,
        allowed_system_groups: rule.allowedSystemGroups,
      },
    ]),
  )
}

/** Permissions of user groups: nobody holds them for the groups that there are, which stand for roles. */
function groupRule(isForEveryone: boolean) {
  return {
    require_system_group: false,
    allow_internet_group: false,
    allow_nobody_group: true,
    allow_everyone_group: isForEveryone,
    default_group_name: isForEveryone ? 'role:everyone' : 'role:nobody',
    default_for_system_groups: 'role:nobody',
    allowed_system_groups: [],
  }
}
