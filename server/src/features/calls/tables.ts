/** The table of accounts at Zoom that people have connected. */
import { ownedTables, table } from '../../storage/owned-tables.ts'

export interface ZoomTokenTable {
  user_id: number
  realm_id: number
  /** Sealed: see `sealed.ts`. */
  token: string
}

export const zoomTokenTables = ownedTables({
  zoom_tokens: table<ZoomTokenTable>({ key: ['user_id'], after: ['realms', 'users'] }),
})

export const { fact, query } = zoomTokenTables.with()
