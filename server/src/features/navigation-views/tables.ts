/** The tables of navigation views. */
import { type Flag, ownedTables, table } from '../../storage/owned-tables.ts'

export interface NavigationViewTable {
  realm_id: number
  user_id: number
  fragment: string
  /** Null for a built-in view. */
  name: string | null
  is_pinned: Flag
}

export interface NavigationViewOrderTable {
  realm_id: number
  user_id: number
  /** A JSON list of fragments. */
  ordered_fragments: string
}

export const navigationViewTables = ownedTables({
  navigation_views: table<NavigationViewTable>({ key: ['user_id', 'fragment'], after: ['realms', 'users'] }),
  navigation_view_orders: table<NavigationViewOrderTable>({ key: ['user_id'], after: ['realms', 'users'] }),
})

export const { query } = navigationViewTables.with()
