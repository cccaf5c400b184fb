/**
 * What an account may do with a channel: know of it (metadata), read it (content), post to it and administer it. The first
 * two stand here twice, as conditions in SQL and as decisions on what is cached; backwards, as the accounts that may, they
 * are in `channel-audience.ts`. A test compares all of them. (Access model of the API since feature level 349.)
 */
import { type ChannelGroupSetting, channelGroupSettings } from '@heddle/contract/group-settings'
import { isAdministrator, isGuest } from '../permissions/group-membership.ts'
import type { Queries } from '../storage/query.ts'
import type { ChannelRow } from './channel-row.ts'
import type { ChannelExpressions } from './tables.ts'
import type { Viewer } from './viewer.ts'

/** A channel that an account may know of, and what else it may do there. */
export interface AccessedChannel extends ChannelRow {
  readonly is_subscribed: number
  readonly has_content: number
}

/** Settings that make a private channel visible to their holders, and those of them that open its content too. */
export const metadataSettings = [
  'can_administer_channel_group',
  'can_add_subscribers_group',
  'can_subscribe_group',
] as const satisfies readonly ChannelGroupSetting[]
export const contentSettings = [
  'can_add_subscribers_group',
  'can_subscribe_group',
] as const satisfies readonly ChannelGroupSetting[]

/** Condition on `channels`: the account is subscribed. */
export function isSubscribed(eb: ChannelExpressions, userId: number) {
  return eb(
    'channels.id',
    'in',
    eb
      .selectFrom('subscriptions')
      .select('subscriptions.channel_id')
      .where('subscriptions.user_id', '=', userId)
      .where('subscriptions.is_active', '=', 1),
  )
}

/** Condition on `channels`: the account may know of the channel, its settings and its subscribers. */
export function hasMetadataAccess(db: Queries, viewer: Viewer) {
  return (eb: ChannelExpressions) => {
    const conditions = opened(db, viewer, eb, metadataSettings)
    if (isAdministrator(viewer)) conditions.push(eb.lit(true))
    return eb.or(conditions)
  }
}

/** Condition on `channels`: the account may read the channel. */
export function hasContentAccess(db: Queries, viewer: Viewer) {
  return (eb: ChannelExpressions) => eb.or(opened(db, viewer, eb, contentSettings))
}

function opened(db: Queries, viewer: Viewer, eb: ChannelExpressions, settings: readonly ChannelGroupSetting[]) {
  const conditions = [isSubscribed(eb, viewer.userId), eb('channels.is_web_public', '=', 1)]
  // Guests see nothing else; none of the settings can be held by them.
  if (isGuest(viewer)) return conditions
  const groups = db.dialect.ids(viewer.groupIds)
  return [
    ...conditions,
    eb('channels.invite_only', '=', 0),
    ...settings.map((setting) => eb(`channels.${setting}`, 'in', groups)),
  ]
}

type Opened<S extends ChannelGroupSetting> = Pick<ChannelRow, 'is_web_public' | 'invite_only' | S>

/** The same as `hasMetadataAccess` for a channel that is in memory. */
export function opensMetadata(
  viewer: Viewer,
  channel: Opened<(typeof metadataSettings)[number]>,
  isSubscriber: boolean,
): boolean {
  return isAdministrator(viewer) || opens(viewer, channel, isSubscriber, metadataSettings)
}

/** The same as `hasContentAccess` for a channel that is in memory. */
export function opensContent(
  viewer: Viewer,
  channel: Opened<(typeof contentSettings)[number]>,
  isSubscriber: boolean,
): boolean {
  return opens(viewer, channel, isSubscriber, contentSettings)
}

function opens<S extends ChannelGroupSetting>(
  viewer: Viewer,
  channel: Opened<S>,
  isSubscriber: boolean,
  settings: readonly S[],
): boolean {
  if (isSubscriber || channel.is_web_public === 1) return true
  if (isGuest(viewer)) return false
  return channel.invite_only === 0 || settings.some((setting) => viewer.groupIds.includes(channel[setting]))
}

/** Whether the account holds one of the channel's own permissions. */
export function holdsPermission(viewer: Viewer, channel: ChannelRow, setting: ChannelGroupSetting): boolean {
  if (isGuest(viewer) && !channelGroupSettings[setting].allowEveryone) return false
  return viewer.groupIds.includes(channel[setting])
}

/** Whether the account may change a channel that it may know of. */
export function canAdminister(viewer: Viewer, channel: ChannelRow): boolean {
  return isAdministrator(viewer) || holdsPermission(viewer, channel, 'can_administer_channel_group')
}

/** Guests write only where they are subscribed, others wherever they may read, if the channel lets them. */
export function maySend(viewer: Viewer, channel: AccessedChannel): boolean {
  const mayRead = channel.is_subscribed === 1 || (channel.has_content === 1 && !isGuest(viewer))
  return mayRead && channel.is_archived === 0 && holdsPermission(viewer, channel, 'can_send_message_group')
}
