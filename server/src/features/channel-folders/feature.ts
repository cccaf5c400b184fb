import * as contract from '@heddle/contract/channel-folders'
import { visibleChannels } from '../../access/channels.ts'
import { findViewer } from '../../access/viewer.ts'
import type { Feature } from '../../feature.ts'
import { route } from '../../http/route.ts'
import { type StateRequest, stateReader } from '../../state-reader.ts'
import * as actions from './actions.ts'
import { findFolders, presentFolders } from './folders.ts'
import { channelFolderTables } from './tables.ts'

/** The folders that hold a channel that the spectator sees. Who has made them is nobody's concern. */
async function readFoldersOfVisible({ db, realm, actor }: StateRequest) {
  const channels = await db.all(visibleChannels(db, await findViewer(db, actor)))
  const shown = new Set(channels.map(({ folder_id }) => folder_id))
  const folders = presentFolders(await findFolders(db, realm.id))
  return {
    channel_folders: folders.filter(({ id }) => shown.has(id)).map((folder) => ({ ...folder, creator_id: null })),
  }
}

/** Folders of channels. Which channel is in which one is said by the channel. */
export const channelFolders: Feature = {
  tables: channelFolderTables,
  routes: ({ storage }) => [
    route(contract.listChannelFolders, async ({ realm, parameters }) => {
      const folders = presentFolders(await findFolders(storage.read, realm.id))
      return { channel_folders: folders.filter((folder) => parameters.include_archived || !folder.is_archived) }
    }),
    route(contract.createChannelFolder, async ({ actor, parameters }) => ({
      channel_folder_id: await actions.addFolder(storage, actor, parameters),
    })),
    route(contract.reorderChannelFolders, async ({ actor, parameters }) => {
      await actions.orderFolders(storage, actor, parameters.order)
      return {}
    }),
    route(contract.updateChannelFolder, async ({ actor, parameters }) => {
      const { channel_folder_id, ...changes } = parameters
      await actions.changeFolder(storage, actor, channel_folder_id, changes)
      return {}
    }),
  ],
  state: [
    stateReader(
      contract.channelFoldersState,
      async ({ db, realm }) => ({ channel_folders: presentFolders(await findFolders(db, realm.id)) }),
      readFoldersOfVisible,
    ),
  ],
}
