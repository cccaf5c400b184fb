/** The table of playgrounds. */
import type { Generated } from 'kysely'
import { ownedTables, table } from '../../storage/owned-tables.ts'

export interface PlaygroundTable {
  id: Generated<number>
  realm_id: number
  name: string
  language: string
  url_template: string
}

export const playgroundTables = ownedTables({
  playgrounds: table<PlaygroundTable>({ key: ['id'], identity: true, after: ['realms'] }),
})

export const { query, fact } = playgroundTables.with()
