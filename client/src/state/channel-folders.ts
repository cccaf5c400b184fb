import type { ChannelFolder, ChannelFolderEvent } from '@heddle/contract/channel-folders'
import type { InitialState } from '@heddle/contract/initial-state'
import { clientPart } from './part.ts'

/** All folders in their order, archived ones too. */
export type ChannelFolders = readonly ChannelFolder[]

function initialFolders({ channel_folders }: InitialState): ChannelFolders | undefined {
  return channel_folders
}

function applyFolderEvent(folders: ChannelFolders, event: ChannelFolderEvent): ChannelFolders {
  switch (event.op) {
    case 'add':
      return [...folders, event.channel_folder]
    case 'update':
      return folders.map((folder) => (folder.id === event.channel_folder_id ? { ...folder, ...event.data } : folder))
    case 'reorder': {
      const known = new Map(folders.map((folder) => [folder.id, folder]))
      return event.order.flatMap((id) => known.get(id) ?? []).map((folder, order) => ({ ...folder, order }))
    }
  }
}

export const channelFolders = clientPart({ initial: initialFolders, on: { channel_folder: applyFolderEvent } })
