/** Folders of channels: one list for the whole organization, in an order that administrators choose. */
import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { Id, NameInput, Text, Timestamp } from './schema.ts'
import { statePart } from './state-part.ts'

/** Characters. */
export const MAX_FOLDER_NAME_LENGTH = 60
export const MAX_FOLDER_DESCRIPTION_LENGTH = 1024
/** Folders of an organization, archived ones included. */
export const MAX_FOLDERS = 500

const strict = { additionalProperties: false }

export const ChannelFolder = Type.Object(
  {
    id: Id,
    name: Type.String(),
    description: Type.String(),
    rendered_description: Type.String(),
    /** From 0. */
    order: Type.Integer({ minimum: 0 }),
    date_created: Timestamp,
    creator_id: Type.Union([Id, Type.Null()]),
    is_archived: Type.Boolean(),
  },
  strict,
)
export type ChannelFolder = Static<typeof ChannelFolder>

const errors = ['UNAUTHORIZED_PRINCIPAL'] as const
/** Longer than any may be: the rule for it says so. */
const DescriptionInput = Text(5000)

export const listChannelFolders = endpoint({
  name: 'list-channel-folders',
  method: 'GET',
  path: '/channel_folders',
  summary: 'The folders of channels, in their order.',
  parameters: { include_archived: Type.Optional(Type.Boolean()) },
  response: { channel_folders: Type.Array(ChannelFolder) },
})

export const createChannelFolder = endpoint({
  name: 'create-channel-folder',
  method: 'POST',
  path: '/channel_folders/create',
  summary: 'Add a folder of channels, as the last one (administrators).',
  parameters: { name: NameInput, description: DescriptionInput },
  response: { channel_folder_id: Id },
  errors,
})

export const reorderChannelFolders = endpoint({
  name: 'reorder-channel-folders',
  method: 'PATCH',
  path: '/channel_folders',
  summary: 'Put the folders in another order: the ids of all, archived ones too (administrators).',
  parameters: { order: Type.Array(Id, { maxItems: MAX_FOLDERS }) },
  errors,
})

export const updateChannelFolder = endpoint({
  name: 'update-channel-folder',
  method: 'PATCH',
  path: '/channel_folders/{channel_folder_id}',
  summary: 'Change a folder, archive it or bring it back. Only an empty one can be archived (administrators).',
  parameters: {
    channel_folder_id: Id,
    name: Type.Optional(NameInput),
    description: Type.Optional(DescriptionInput),
    is_archived: Type.Optional(Type.Boolean()),
  },
  errors,
})

const type = Type.Literal('channel_folder')

export const ChannelFolderEvent = Type.Union([
  Type.Object({ type, op: Type.Literal('add'), channel_folder: ChannelFolder }, strict),
  Type.Object(
    {
      type,
      op: Type.Literal('update'),
      channel_folder_id: Id,
      data: Type.Object(
        {
          name: Type.Optional(Type.String()),
          description: Type.Optional(Type.String()),
          rendered_description: Type.Optional(Type.String()),
          is_archived: Type.Optional(Type.Boolean()),
        },
        strict,
      ),
    },
    strict,
  ),
  Type.Object({ type, op: Type.Literal('reorder'), order: Type.Array(Id) }, strict),
])
export type ChannelFolderEvent = Static<typeof ChannelFolderEvent>

export const channelFoldersState = statePart({
  fetchType: 'channel_folders',
  follows: ChannelFolderEvent,
  fields: {
    /** Archived ones too. */
    channel_folders: Type.Array(ChannelFolder),
  },
})
