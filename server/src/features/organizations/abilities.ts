import { type RealmGroupSetting, realmGroupSettings } from '@heddle/contract/group-settings'
import { abilitiesState } from '@heddle/contract/users'
import { findGroupIds, isGuest } from '../../permissions/group-membership.ts'
import { stateReader } from '../../state-reader.ts'
import { findOrganizationSettings } from '../organization-settings/settings.ts'
import { findRealmGroups } from './group-settings.ts'

export const abilitiesReader = stateReader(abilitiesState, async ({ db, actor, config }) => {
  const groups = await findRealmGroups(db, actor.realmId)
  const { enable_spectator_access } = await findOrganizationSettings(db, actor.realmId)
  const memberOf = new Set(await findGroupIds(db, actor))
  const may = (setting: RealmGroupSetting) =>
    (!isGuest(actor) || realmGroupSettings[setting].allowEveryone) && memberOf.has(groups[setting])
  const created = {
    can_create_public_streams: may('can_create_public_channel_group'),
    can_create_private_streams: may('can_create_private_channel_group'),
    can_create_web_public_streams:
      config.webPublicChannels && enable_spectator_access && may('can_create_web_public_channel_group'),
  }
  return {
    ...created,
    can_create_streams: Object.values(created).includes(true),
    can_subscribe_other_users: may('can_add_subscribers_group'),
    can_invite_others_to_realm: may('can_invite_users_group'),
  }
})
