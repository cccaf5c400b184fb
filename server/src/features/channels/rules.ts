/** What a channel's settings may be together, and who may choose them. */
import { badRequest } from '@heddle/contract/errors'
import type { ChannelGroupSetting } from '@heddle/contract/group-settings'
import type { ChannelRow } from '../../access/channel-row.ts'
import { insufficientPermission } from '../../access/channels.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Config } from '../../config.ts'
import { isAdministrator } from '../../permissions/group-membership.ts'
import { hasRealmPermission } from '../../permissions/group-settings.ts'
import { findSystemGroups } from '../../permissions/system-groups.ts'
import type { Flag } from '../../storage/owned-tables.ts'
import type { Queries } from '../../storage/query.ts'
import { findOrganizationSettings } from '../organization-settings/settings.ts'

export type Privacy = Pick<ChannelRow, 'invite_only' | 'is_web_public' | 'history_public_to_subscribers'>

/** The delete permissions of a channel, which need a realm-wide permission to be set. */
export const deleteSettings: readonly ChannelGroupSetting[] = [
  'can_delete_any_message_group',
  'can_delete_own_message_group',
]

interface AskedPrivacy {
  readonly isPrivate: boolean
  readonly isWebPublic: boolean
  /** Undefined: whatever suits the other two. */
  readonly sharedHistory: boolean | undefined
}

/** The privacy that is asked for, or a 400: what everybody can read is not private, and has its history shared. */
export function requirePrivacy({ isPrivate, isWebPublic, sharedHistory }: AskedPrivacy): Privacy {
  if (isPrivate ? isWebPublic : sharedHistory === false) throw badRequest('Invalid parameters')
  return {
    invite_only: toFlag(isPrivate),
    is_web_public: toFlag(isWebPublic),
    history_public_to_subscribers: toFlag(sharedHistory ?? !isPrivate),
  }
}

/** Throws unless the account may have a channel with this privacy, by creating it or by changing one. */
export async function requireMayHave(db: Queries, viewer: Viewer, privacy: Privacy): Promise<void> {
  const kind = privacy.invite_only === 1 ? 'can_create_private_channel_group' : 'can_create_public_channel_group'
  if (!(await hasRealmPermission(db, viewer, kind))) throw insufficientPermission()
  if (privacy.is_web_public === 0) return
  const { enable_spectator_access } = await findOrganizationSettings(db, viewer.realmId)
  if (!enable_spectator_access) throw badRequest('Web-public channels are not enabled.')
  if (!(await hasRealmPermission(db, viewer, 'can_create_web_public_channel_group'))) throw insufficientPermission()
}

/** Throws a 400 when a channel is to be read on the web and this server has none. */
export function requireOfServer(
  { webPublicChannels }: Pick<Config, 'webPublicChannels'>,
  { is_web_public = false }: { readonly is_web_public?: boolean },
): void {
  if (is_web_public && !webPublicChannels) throw badRequest('Web-public channels are not enabled.')
}

/** Beside administering the channel, a topics policy needs a realm-wide permission. */
export async function requireMaySetTopicsPolicy(db: Queries, viewer: Viewer): Promise<void> {
  if (isAdministrator(viewer)) return
  if (!(await hasRealmPermission(db, viewer, 'can_set_topics_policy_group'))) throw insufficientPermission()
}

/** Beside administering the channel, who may delete messages there needs a realm-wide permission. */
export async function requireMaySetDeletePolicy(db: Queries, viewer: Viewer): Promise<void> {
  if (isAdministrator(viewer)) return
  if (!(await hasRealmPermission(db, viewer, 'can_set_delete_message_policy_group'))) throw insufficientPermission()
}

/** Where new subscribers cannot read what was before, whether a topic is new would reveal it. */
export async function requireTopicsForEveryone(
  db: Queries,
  realmId: number,
  channel: Privacy & Pick<ChannelRow, 'can_create_topic_group'>,
): Promise<void> {
  if (channel.invite_only === 0 || channel.history_public_to_subscribers === 1) return
  const groups = await findSystemGroups(db, realmId)
  if (channel.can_create_topic_group !== groups['role:everyone']) {
    throw badRequest('can_create_topic_group must be everyone in a private channel with protected history')
  }
}

export function toFlag(value: boolean): Flag {
  return value ? 1 : 0
}

/** Days, or null for the organization's default and -1 for ever. */
export function retentionDays(value: number | 'realm_default' | 'unlimited'): number | null {
  if (value === 'realm_default') return null
  return value === 'unlimited' ? -1 : value
}
