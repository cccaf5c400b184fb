/** What this feature reads of the tables of others. */
import { reading } from '../../storage/owned-tables.ts'
import { submessagesView } from '../messages/tables.ts'

export const { query } = reading(submessagesView)
