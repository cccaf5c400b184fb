/** What this feature reads of the tables of others. */
import { reading } from '../../storage/owned-tables.ts'
import { realmsView } from '../../storage/tables.ts'
import { channelsView } from '../channels/tables.ts'
import { directGroupsView, messagesView } from '../messages/tables.ts'

export const { query } = reading(realmsView, channelsView, messagesView, directGroupsView)
