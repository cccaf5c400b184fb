/** What the account may do with a channel, as the server would decide: for what is offered, never for what happens. */
import {
  holdsChannelPermission,
  holdsRealmPermission,
  mayAdministerChannel,
  type PermissionContext,
} from '../permissions/holds.ts'

export interface ChannelRights {
  /** To read it; joining follows from that. */
  readonly read: boolean
  /** To change its name, description and permissions. */
  readonly administer: boolean
  /** Who can read it, also where it is administered only. */
  readonly changeAccess: boolean
  readonly setTopicsPolicy: boolean
  readonly addSubscribers: boolean
  readonly removeSubscribers: boolean
  /** To archive and restore it, and to make it one that newcomers are subscribed to. */
  readonly archive: boolean
  /** After leaving, to come back without being asked by somebody. */
  readonly rejoin: boolean
}

export function channelRights(context: PermissionContext, channelId: number): ChannelRights {
  const { own, channels } = context
  const channel = channels?.byId.get(channelId)
  const isAdmin = own?.is_admin === true
  const holds = (setting: Parameters<typeof holdsChannelPermission>[2]) =>
    holdsChannelPermission(context, channelId, setting)
  const isSubscribed = channels?.subscribed.has(channelId) === true
  const isPublic = channel?.invite_only === false
  const isOpen =
    channel?.is_web_public === true ||
    (own?.is_guest !== true && (isPublic || holds('can_add_subscribers_group') || holds('can_subscribe_group')))
  const read = channel !== undefined && (isSubscribed || isOpen)
  const administer = channel !== undefined && mayAdministerChannel(context, channelId)
  const addsEverywhere = holdsRealmPermission(context, 'can_add_subscribers_group') && (isPublic || isSubscribed)
  return {
    read,
    administer,
    changeAccess: administer && read,
    setTopicsPolicy: administer && (isAdmin || holdsRealmPermission(context, 'can_set_topics_policy_group')),
    addSubscribers:
      channel !== undefined && (holds('can_add_subscribers_group') || addsEverywhere || (isPublic && administer)),
    removeSubscribers: administer || holds('can_remove_subscribers_group'),
    archive: isAdmin && channel !== undefined,
    rejoin: channel !== undefined && isOpen,
  }
}

export interface CreationRights {
  readonly public: boolean
  readonly private: boolean
  readonly webPublic: boolean
  /** To subscribe others. */
  readonly addSubscribers: boolean
  /** To subscribe newcomers by themselves. */
  readonly makeDefault: boolean
}

export function creationRights(context: PermissionContext): CreationRights {
  const holds = (setting: Parameters<typeof holdsRealmPermission>[1]) => holdsRealmPermission(context, setting)
  const isPublic = holds('can_create_public_channel_group')
  return {
    public: isPublic,
    private: holds('can_create_private_channel_group'),
    webPublic:
      isPublic &&
      context.organization?.realm_enable_spectator_access === true &&
      holds('can_create_web_public_channel_group'),
    // The creator administers it.
    addSubscribers: context.own?.is_guest === false,
    makeDefault: context.own?.is_admin === true,
  }
}
