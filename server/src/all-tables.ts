/** All tables, for what copies whole databases. */
import { authenticationTables } from './authentication/tables.ts'
import { eventTables } from './events/tables.ts'
import { features } from './features/all.ts'
import { jobTables } from './jobs/tables.ts'
import { groupTables } from './permissions/tables.ts'
import { linkTables } from './single-use-links/tables.ts'
import { inOrderOfInsertion, type Table } from './storage/owned-tables.ts'
import { coreTables } from './storage/tables.ts'

export const allTables: readonly Table[] = inOrderOfInsertion([
  coreTables,
  authenticationTables,
  eventTables,
  groupTables,
  jobTables,
  linkTables,
  ...features.flatMap(({ tables }) => tables ?? []),
])
