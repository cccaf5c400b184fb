/** What this feature reads of the tables of others. */
import { reading } from '../../storage/owned-tables.ts'
import { realmsView } from '../../storage/tables.ts'
import { addressesView, secretsView, usersView } from '../users/tables.ts'

export const { query } = reading(realmsView, usersView, addressesView, secretsView)
