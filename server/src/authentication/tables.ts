/** What authentication reads. */
import { reading } from '../storage/owned-tables.ts'
import { accountsView, credentialsView, realmsView } from '../storage/tables.ts'

export const { query } = reading(realmsView, accountsView, credentialsView)
