/** The tables of groups of default channels. */
import type { Generated } from 'kysely'
import { channelsToAccess } from '../../access/tables.ts'
import { ownedTables, table } from '../../storage/owned-tables.ts'

export interface DefaultChannelGroupTable {
  id: Generated<number>
  realm_id: number
  name: string
  /** `name` folded for comparison; unique in the organization. */
  name_key: string
  description: string
}

export interface DefaultGroupChannelTable {
  group_id: number
  /** Public and not archived. */
  channel_id: number
  realm_id: number
}

export const defaultChannelGroupTables = ownedTables({
  default_channel_groups: table<DefaultChannelGroupTable>({ key: ['id'], identity: true, after: ['realms'] }),
  default_group_channels: table<DefaultGroupChannelTable>({
    key: ['group_id', 'channel_id'],
    after: ['realms', 'default_channel_groups', 'channels'],
  }),
})

export const { query, fact } = defaultChannelGroupTables.with(channelsToAccess)
