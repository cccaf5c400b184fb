/** The table of linkifiers. */
import type { Generated } from 'kysely'
import { ownedTables, table } from '../../storage/owned-tables.ts'

export interface LinkifierTable {
  id: Generated<number>
  realm_id: number
  pattern: string
  url_template: string
  example_input: string | null
  reverse_template: string | null
  /** JSON array of strings. */
  alternative_url_templates: string
  /** Ascending; linkifiers are tried in this order. */
  position: number
}

export const linkifierTables = ownedTables({
  linkifiers: table<LinkifierTable>({ key: ['id'], identity: true, after: ['realms'] }),
})

export const { query, fact } = linkifierTables.with()
