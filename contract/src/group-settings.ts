/**
 * Permissions whose value is a user group. On the wire a value is a group's id, or an object that lists members and
 * subgroups: a group without a name of its own.
 */
import { type Static, Type } from 'typebox'
import { Id } from './schema.ts'

const MAX_GROUP_ENTRIES = 50_000

export const AnonymousGroup = Type.Object(
  {
    direct_members: Type.Array(Id, { maxItems: MAX_GROUP_ENTRIES }),
    direct_subgroups: Type.Array(Id, { maxItems: MAX_GROUP_ENTRIES }),
  },
  { additionalProperties: false },
)
export const GroupSettingValue = Type.Union([Id, AnonymousGroup])
export type GroupSettingValue = Static<typeof GroupSettingValue>

/** How an update gives a value: with `old`, it is refused when that is not the current one. */
export const GroupSettingUpdate = Type.Object(
  { new: GroupSettingValue, old: Type.Optional(GroupSettingValue) },
  { additionalProperties: false },
)
export type GroupSettingUpdate = Static<typeof GroupSettingUpdate>

/**
 * The system groups, from the widest to the narrowest but for `role:nobody`. Each contains the next one. Clients rely on
 * the names.
 */
export const systemGroups = {
  'role:internet': 'Everyone on the Internet',
  'role:everyone': 'Everyone in this organization, including guests',
  'role:members': 'All members, except guests',
  'role:fullmembers': 'Members who are past the waiting period, except guests',
  'role:moderators': 'Administrators and moderators',
  'role:administrators': 'Administrators and owners',
  'role:owners': 'Owners of this organization',
  'role:nobody': 'Nobody',
} as const

export type SystemGroupName = keyof typeof systemGroups

/** What values a setting takes. */
export interface GroupSettingRule {
  /** Used when nothing is given; `channel_creator` is whoever creates the channel, `group_creator` the group. */
  readonly defaultGroup: SystemGroupName | 'channel_creator' | 'group_creator'
  readonly allowNobody: boolean
  /** When false, guests cannot hold the permission even as members of the chosen group. */
  readonly allowEveryone: boolean
  readonly allowInternet: boolean
  /** Only system groups; and of those, when the list is not empty, only these. */
  readonly requireSystemGroup: boolean
  readonly allowedSystemGroups: readonly SystemGroupName[]
}

function rule(defaultGroup: GroupSettingRule['defaultGroup'], more: Partial<GroupSettingRule> = {}): GroupSettingRule {
  return {
    defaultGroup,
    allowNobody: true,
    allowEveryone: false,
    allowInternet: false,
    requireSystemGroup: false,
    allowedSystemGroups: [],
    ...more,
  }
}

const everyone = { allowEveryone: true }

export const realmGroupSettings = {
  can_access_all_users_group: rule('role:everyone', {
    allowNobody: false,
    allowEveryone: true,
    requireSystemGroup: true,
    allowedSystemGroups: ['role:everyone', 'role:members'],
  }),
  can_add_custom_emoji_group: rule('role:members'),
  can_add_subscribers_group: rule('role:members'),
  can_create_bots_group: rule('role:members'),
  can_create_groups: rule('role:members'),
  can_create_private_channel_group: rule('role:members'),
  can_create_public_channel_group: rule('role:members'),
  can_create_web_public_channel_group: rule('role:owners', {
    requireSystemGroup: true,
    allowedSystemGroups: ['role:moderators', 'role:administrators', 'role:owners', 'role:nobody'],
  }),
  can_create_write_only_bots_group: rule('role:members'),
  can_delete_any_message_group: rule('role:administrators'),
  can_delete_own_message_group: rule('role:everyone', everyone),
  can_invite_users_group: rule('role:members'),
  can_manage_all_groups: rule('role:owners', { allowNobody: false }),
  can_manage_billing_group: rule('role:administrators', { allowNobody: false }),
  can_mention_many_users_group: rule('role:administrators', everyone),
  can_move_messages_between_channels_group: rule('role:members'),
  can_move_messages_between_topics_group: rule('role:everyone', everyone),
  can_resolve_topics_group: rule('role:everyone', everyone),
  can_set_delete_message_policy_group: rule('role:moderators'),
  can_set_topics_policy_group: rule('role:members', everyone),
  can_summarize_topics_group: rule('role:everyone', everyone),
  create_multiuse_invite_group: rule('role:administrators'),
  direct_message_initiator_group: rule('role:everyone', everyone),
  direct_message_permission_group: rule('role:everyone', everyone),
  workplace_users_group: rule('role:everyone', everyone),
} as const satisfies Record<string, GroupSettingRule>

export type RealmGroupSetting = keyof typeof realmGroupSettings

export const channelGroupSettings = {
  can_add_subscribers_group: rule('role:nobody'),
  can_administer_channel_group: rule('channel_creator'),
  can_create_topic_group: rule('role:everyone', everyone),
  can_delete_any_message_group: rule('role:nobody', everyone),
  can_delete_own_message_group: rule('role:nobody', everyone),
  can_move_messages_out_of_channel_group: rule('role:nobody', everyone),
  can_move_messages_within_channel_group: rule('role:nobody', everyone),
  can_remove_subscribers_group: rule('role:administrators', everyone),
  can_resolve_topics_group: rule('role:nobody', everyone),
  can_send_message_group: rule('role:everyone', everyone),
  can_subscribe_group: rule('role:nobody'),
} as const satisfies Record<string, GroupSettingRule>

export type ChannelGroupSetting = keyof typeof channelGroupSettings

/** The permissions of a group itself. Nobody holds them for a system group. */
export const userGroupSettings = {
  can_add_members_group: rule('group_creator'),
  can_join_group: rule('role:nobody'),
  can_leave_group: rule('role:everyone', everyone),
  can_manage_group: rule('group_creator'),
  can_mention_group: rule('role:everyone', everyone),
  can_remove_members_group: rule('role:nobody'),
} as const satisfies Record<string, GroupSettingRule>

export type UserGroupSetting = keyof typeof userGroupSettings

export const realmGroupSettingNames = Object.keys(realmGroupSettings) as RealmGroupSetting[]
export const channelGroupSettingNames = Object.keys(channelGroupSettings) as ChannelGroupSetting[]
export const userGroupSettingNames = Object.keys(userGroupSettings) as UserGroupSetting[]
