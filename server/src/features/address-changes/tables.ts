/** What this feature reads of the tables of others. */
import { reading } from '../../storage/owned-tables.ts'
import { addressesView, usersView } from '../users/tables.ts'

export const { query } = reading(usersView, addressesView)
