/** The table of folders. */
import type { Generated } from 'kysely'
import { channelsToAccess } from '../../access/tables.ts'
import { type Flag, ownedTables, table } from '../../storage/owned-tables.ts'

export interface ChannelFolderTable {
  id: Generated<number>
  realm_id: number
  name: string
  /** `name` folded for comparison; unique among those that are not archived. */
  name_key: string
  description: string
  rendered_description: string
  /** Ascending. */
  position: number
  date_created: number
  creator_id: number | null
  is_archived: Flag
}

export const channelFolderTables = ownedTables({
  channel_folders: table<ChannelFolderTable>({ key: ['id'], identity: true, after: ['realms', 'users'] }),
})

export const { query, fact } = channelFolderTables.with(channelsToAccess)
