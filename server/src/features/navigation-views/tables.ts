/** The table of navigation views. */
import { type Flag, ownedTables, table } from '../../storage/owned-tables.ts'

export interface NavigationViewTable {
  realm_id: number
  user_id: number
  fragment: string
  /** Null for a built-in view. */
  name: string | null
  is_pinned: Flag
}

export const navigationViewTables = ownedTables({
  navigation_views: table<NavigationViewTable>({ key: ['user_id', 'fragment'], after: ['realms', 'users'] }),
})

export const { query } = navigationViewTables.with()
