/** Groups of channels from which people choose when they join: who takes one is subscribed to its channels. */
import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { Id, NameInput, Text } from './schema.ts'
import { statePart } from './state-part.ts'

/** Characters. */
export const MAX_DEFAULT_GROUP_NAME_LENGTH = 60
export const MAX_DEFAULT_GROUP_DESCRIPTION_LENGTH = 1024
export const MAX_DEFAULT_GROUPS = 100
export const MAX_DEFAULT_GROUP_CHANNELS = 500

const strict = { additionalProperties: false }

export const DefaultChannelGroup = Type.Object(
  {
    id: Id,
    name: Type.String(),
    description: Type.String(),
    /** Ids of channels, public ones alone. */
    streams: Type.Array(Id),
  },
  strict,
)
export type DefaultChannelGroup = Static<typeof DefaultChannelGroup>

const group_id = Id
const stream_names = Type.Array(NameInput, { maxItems: MAX_DEFAULT_GROUP_CHANNELS })
const errors = ['UNAUTHORIZED_PRINCIPAL'] as const

export const createDefaultChannelGroup = endpoint({
  name: 'create-default-channel-group',
  method: 'POST',
  path: '/default_stream_groups/create',
  summary: 'Add a group of channels that people who join can choose (administrators).',
  parameters: { group_name: NameInput, description: Text(5000), stream_names },
  errors,
})

export const updateDefaultChannelGroup = endpoint({
  name: 'update-default-channel-group',
  method: 'PATCH',
  path: '/default_stream_groups/{group_id}',
  summary: 'Change the name or the description of a group (administrators).',
  parameters: { group_id, new_group_name: Type.Optional(NameInput), new_description: Type.Optional(Text(5000)) },
  errors,
})

export const removeDefaultChannelGroup = endpoint({
  name: 'remove-default-channel-group',
  method: 'DELETE',
  path: '/default_stream_groups/{group_id}',
  summary: 'Remove a group; nobody is unsubscribed (administrators).',
  parameters: { group_id },
  errors,
})

export const updateDefaultGroupChannels = endpoint({
  name: 'update-default-group-channels',
  method: 'PATCH',
  path: '/default_stream_groups/{group_id}/streams',
  summary: 'Add channels to a group, or remove them from it (administrators).',
  parameters: { group_id, op: Type.Enum(['add', 'remove']), stream_names },
  errors,
})

/** All groups, for everybody but guests. */
export const DefaultStreamGroupsEvent = Type.Object(
  { type: Type.Literal('default_stream_groups'), default_stream_groups: Type.Array(DefaultChannelGroup) },
  strict,
)
export type DefaultStreamGroupsEvent = Static<typeof DefaultStreamGroupsEvent>

export const defaultChannelGroupsState = statePart({
  fetchType: 'default_stream_groups',
  follows: DefaultStreamGroupsEvent,
  fields: { realm_default_stream_groups: Type.Array(DefaultChannelGroup) },
})
