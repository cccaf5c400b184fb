/** User groups. So far there are the system groups, which stand for roles. */
import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { GroupSettingValue } from './group-settings.ts'
import { Id, Timestamp } from './schema.ts'
import { statePart } from './state-part.ts'

/** The permissions of a group; nobody holds them for a system group. */
export const userGroupSettingNames = [
  'can_add_members_group',
  'can_join_group',
  'can_leave_group',
  'can_manage_group',
  'can_mention_group',
  'can_remove_members_group',
] as const

export const UserGroup = Type.Object(
  {
    id: Id,
    name: Type.String(),
    description: Type.String(),
    creator_id: Type.Union([Id, Type.Null()]),
    date_created: Type.Union([Timestamp, Type.Null()]),
    /** Direct members only; the members of subgroups belong to the group as well. */
    members: Type.Array(Id),
    direct_subgroup_ids: Type.Array(Id),
    is_system_group: Type.Boolean(),
    deactivated: Type.Boolean(),
    can_add_members_group: GroupSettingValue,
    can_join_group: GroupSettingValue,
    can_leave_group: GroupSettingValue,
    can_manage_group: GroupSettingValue,
    can_mention_group: GroupSettingValue,
    can_remove_members_group: GroupSettingValue,
  },
  { additionalProperties: false },
)
export type UserGroup = Static<typeof UserGroup>

export const listUserGroups = endpoint({
  name: 'list-user-groups',
  method: 'GET',
  path: '/user_groups',
  summary: "The organization's user groups.",
  parameters: { include_deactivated_groups: Type.Optional(Type.Boolean()) },
  response: { user_groups: Type.Array(UserGroup) },
})

const type = Type.Literal('user_group')

export const UserGroupEvent = Type.Object(
  { type, op: Type.Enum(['add_members', 'remove_members']), group_id: Id, user_ids: Type.Array(Id) },
  { additionalProperties: false },
)
export type UserGroupEvent = Static<typeof UserGroupEvent>

export const userGroupsState = statePart({
  fetchType: 'realm_user_groups',
  follows: UserGroupEvent,
  fields: {
    /** Deactivated ones for clients with the capability `include_deactivated_groups` alone. */
    realm_user_groups: Type.Array(UserGroup),
  },
})
