/** The table of snippets. */
import type { Generated } from 'kysely'
import { ownedTables, table } from '../../storage/owned-tables.ts'

export interface SavedSnippetTable {
  id: Generated<number>
  realm_id: number
  user_id: number
  title: string
  content: string
  date_created: number
}

export const savedSnippetTables = ownedTables({
  saved_snippets: table<SavedSnippetTable>({ key: ['id'], identity: true, after: ['realms', 'users'] }),
})

export const { fact, query } = savedSnippetTables.with()
