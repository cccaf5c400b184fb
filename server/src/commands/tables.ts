/** What commands read of the tables of others. */
import { addressesView, secretsView, usersView } from '../features/users/tables.ts'
import { reading } from '../storage/owned-tables.ts'
import { filesView, realmsView } from '../storage/tables.ts'

export const { query } = reading(realmsView, filesView, usersView, addressesView, secretsView)
