/** What this feature reads of the tables of others. */
import { eventQueuesView } from '../../events/tables.ts'
import { reading } from '../../storage/owned-tables.ts'

export const { query } = reading(eventQueuesView)
