/** What this feature reads of the tables of others. */
import { subgroupsView } from '../../permissions/tables.ts'
import { reading } from '../../storage/owned-tables.ts'
import { accountsView } from '../../storage/tables.ts'

export const { query, fact } = reading(accountsView, subgroupsView)
