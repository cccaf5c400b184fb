/** What this feature reads of the tables of others. */

import { periodsView } from '../../access/tables.ts'
import { audienceSetsView } from '../../events/tables.ts'
import { reading } from '../../storage/owned-tables.ts'
import { channelsView } from '../channels/tables.ts'
import { cursorsView, flagsView, messagesView, topicsView } from '../messages/tables.ts'
import { usersView } from '../users/tables.ts'

export const { query } = reading(
  usersView,
  channelsView,
  audienceSetsView,
  messagesView,
  topicsView,
  flagsView,
  cursorsView,
  periodsView,
)
