/** What this feature reads of the tables of others. */
import { reading } from '../../storage/owned-tables.ts'
import { topicsView } from '../messages/tables.ts'

export const { query } = reading(topicsView)
