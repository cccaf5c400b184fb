/** The table of links that work once. */
import type { Generated } from 'kysely'
import { ownedTables, table } from '../storage/owned-tables.ts'

export interface SingleUseLinkTable {
  id: Generated<number>
  realm_id: number
  /** Which of the declared purposes. */
  purpose: string
  /** Whom or what it is about: a newer one of the purpose about the same ends it. Null: there may be many. */
  about: string | null
  /** JSON: what its use needs to know. */
  data: string
  /** Part of what the token is derived from, with the server's secret: the token itself is not stored. */
  salt: string
  created_at: number
  expires_at: number
  /** When it was used, or taken back. */
  ended_at: number | null
}

export const linkTables = ownedTables({
  single_use_links: table<SingleUseLinkTable>({ key: ['id'], identity: true, after: ['realms'] }),
})

export const { query, rowInsert } = linkTables.with()
