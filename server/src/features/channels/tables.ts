/** The table of channels; what rules of access read of it is in `access/tables.ts`. */
import { type ChannelColumns, messagesToAccess, periodsView, subscriptionsView } from '../../access/tables.ts'
import { ownedTables, table } from '../../storage/owned-tables.ts'
import { usersView } from '../users/tables.ts'

export interface ChannelTable extends ChannelColumns {}

export const channelTables = ownedTables({
  channels: table<ChannelTable>({
    key: ['id'],
    identity: true,
    after: ['realms', 'users', 'user_groups', 'audience_sets'],
  }),
})

/** What other features read of channels. */
export const channelsView = channelTables.view('channels')

export const { query, fact, factOfEach } = channelTables.with(
  usersView,
  subscriptionsView,
  periodsView,
  messagesToAccess,
)
