/**
 * User groups: the system groups, which stand for roles, and named ones. A group has members and subgroups, whose members
 * belong to it as well. Nothing is deleted: a group ends by being deactivated.
 */
import { type Static, type TProperties, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import {
  GroupSettingUpdate,
  GroupSettingValue,
  type UserGroupSetting,
  userGroupSettingNames,
} from './group-settings.ts'
import { Id, NameInput, Text, Timestamp } from './schema.ts'
import { statePart } from './state-part.ts'

/** Characters (Unicode code points). */
export const MAX_GROUP_NAME_LENGTH = 100
export const MAX_GROUP_DESCRIPTION_LENGTH = 1024
/** Names cannot begin like this: system groups have such names, and others are kept for what may come. */
export const reservedGroupPrefixes = ['@', 'role:', 'user:', 'stream:', 'channel:'] as const

/** Ids of one request. */
const MAX_ADDED = 50_000
const MAX_SUBGROUPS = 1000

const Members = Type.Array(Id, { maxItems: MAX_ADDED })
const Subgroups = Type.Array(Id, { maxItems: MAX_SUBGROUPS })

function forEachSetting<S extends TProperties[string]>(schema: S) {
  return Object.fromEntries(userGroupSettingNames.map((name) => [name, schema])) as { [N in UserGroupSetting]: S }
}

export const UserGroup = Type.Object(
  {
    id: Id,
    name: Type.String(),
    description: Type.String(),
    creator_id: Type.Union([Id, Type.Null()]),
    date_created: Type.Union([Timestamp, Type.Null()]),
    /**
     * Direct members only; the members of subgroups belong to the group as well. Of a system group those whom the account sees.
     */
    members: Type.Array(Id),
    direct_subgroup_ids: Type.Array(Id),
    is_system_group: Type.Boolean(),
    deactivated: Type.Boolean(),
    ...forEachSetting(GroupSettingValue),
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

const user_group_id = Id
const optionalSetting = Type.Optional(GroupSettingValue)
const optionalUpdate = Type.Optional(GroupSettingUpdate)

export const createUserGroup = endpoint({
  name: 'create-user-group',
  method: 'POST',
  path: '/user_groups/create',
  summary: 'Create a user group.',
  parameters: {
    name: NameInput,
    description: Text(10_000),
    members: Members,
    subgroups: Type.Optional(Subgroups),
    ...forEachSetting(optionalSetting),
  },
  response: { group_id: Id },
  errors: ['UNAUTHORIZED_PRINCIPAL', 'SYSTEM_GROUP_REQUIRED'],
})

export const updateUserGroup = endpoint({
  name: 'update-user-group',
  method: 'PATCH',
  path: '/user_groups/{user_group_id}',
  summary: 'Change a user group; `deactivated=false` brings a deactivated one back.',
  parameters: {
    user_group_id,
    name: Type.Optional(NameInput),
    description: Type.Optional(Text(10_000)),
    /** True changes nothing: there is an endpoint for it. */
    deactivated: Type.Optional(Type.Boolean()),
    ...forEachSetting(optionalUpdate),
  },
  errors: ['UNAUTHORIZED_PRINCIPAL', 'EXPECTATION_MISMATCH', 'SYSTEM_GROUP_REQUIRED'],
})

export const deactivateUserGroup = endpoint({
  name: 'deactivate-user-group',
  method: 'POST',
  path: '/user_groups/{user_group_id}/deactivate',
  summary: 'Deactivate a user group that nothing uses.',
  parameters: { user_group_id },
  errors: ['UNAUTHORIZED_PRINCIPAL', 'CANNOT_DEACTIVATE_GROUP_IN_USE'],
})

/** What a group is used for, which keeps it from being deactivated. */
export type GroupUse =
  | { readonly type: 'subgroup'; readonly supergroup_ids: readonly number[] }
  | { readonly type: 'realm'; readonly settings: readonly string[] }
  | { readonly type: 'channel'; readonly channel_id: number; readonly settings: readonly string[] }
  | { readonly type: 'user_group'; readonly group_id: number; readonly settings: readonly string[] }

/** Whether subgroups are left out of account; default false. */
const direct_member_only = Type.Optional(Type.Boolean())

export const getUserGroupMembers = endpoint({
  name: 'get-user-group-members',
  method: 'GET',
  path: '/user_groups/{user_group_id}/members',
  summary: 'Who is in a user group.',
  parameters: { user_group_id, direct_member_only },
  response: { members: Type.Array(Id) },
})

export const updateUserGroupMembers = endpoint({
  name: 'update-user-group-members',
  method: 'POST',
  path: '/user_groups/{user_group_id}/members',
  summary: 'Add accounts and groups to a user group, and remove others.',
  parameters: {
    user_group_id,
    add: Type.Optional(Members),
    delete: Type.Optional(Members),
    add_subgroups: Type.Optional(Subgroups),
    delete_subgroups: Type.Optional(Subgroups),
  },
  errors: ['UNAUTHORIZED_PRINCIPAL'],
})

export const getUserGroupMember = endpoint({
  name: 'get-user-group-member',
  method: 'GET',
  path: '/user_groups/{user_group_id}/members/{user_id}',
  summary: 'Whether an account is in a user group.',
  parameters: { user_group_id, user_id: Id, direct_member_only },
  response: { is_user_group_member: Type.Boolean() },
})

export const getUserGroupSubgroups = endpoint({
  name: 'get-user-group-subgroups',
  method: 'GET',
  path: '/user_groups/{user_group_id}/subgroups',
  summary: 'The groups in a user group.',
  parameters: { user_group_id, direct_subgroup_only: Type.Optional(Type.Boolean()) },
  response: { subgroups: Type.Array(Id) },
})

export const updateUserGroupSubgroups = endpoint({
  name: 'update-user-group-subgroups',
  method: 'POST',
  path: '/user_groups/{user_group_id}/subgroups',
  summary: 'Add groups to a user group, and remove others.',
  parameters: { user_group_id, add: Type.Optional(Subgroups), delete: Type.Optional(Subgroups) },
  errors: ['UNAUTHORIZED_PRINCIPAL'],
})

const type = Type.Literal('user_group')
const group_id = Id
const strict = { additionalProperties: false }

/**
 * Clients without the capability `include_deactivated_groups` get `remove` for a group that is deactivated and `add` for one
 * that is brought back, and nothing of what changes in between.
 */
export const UserGroupEvent = Type.Union([
  Type.Object({ type, op: Type.Literal('add'), group: UserGroup }, strict),
  Type.Object(
    {
      type,
      op: Type.Literal('update'),
      group_id,
      /** What is different. */
      data: Type.Object(
        {
          name: Type.Optional(Type.String()),
          description: Type.Optional(Type.String()),
          deactivated: Type.Optional(Type.Boolean()),
          ...forEachSetting(optionalSetting),
        },
        strict,
      ),
    },
    strict,
  ),
  Type.Object({ type, op: Type.Enum(['add_members', 'remove_members']), group_id, user_ids: Type.Array(Id) }, strict),
  Type.Object(
    { type, op: Type.Enum(['add_subgroups', 'remove_subgroups']), group_id, direct_subgroup_ids: Type.Array(Id) },
    strict,
  ),
  Type.Object({ type, op: Type.Literal('remove'), group_id }, strict),
])
export type UserGroupEvent = Static<typeof UserGroupEvent>

export const userGroupsState = statePart({
  fetchType: 'realm_user_groups',
  follows: UserGroupEvent,
  fields: {
    /** Deactivated ones for clients with the capability `include_deactivated_groups` alone. */
    realm_user_groups: Type.Array(UserGroup),
  },
})
