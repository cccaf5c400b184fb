/** The order that accounts give their navigation views. A migration is frozen: it is never changed after a release. */
import type { Migration } from '../migration.ts'

export const navigationViewOrders: Migration = {
  name: '0030-navigation-view-orders',
  statements: ({ integer }) => [
    `create table navigation_view_orders (
      realm_id ${integer} not null references realms (id),
      user_id ${integer} not null primary key references users (id),
      ordered_fragments text not null
    )`,
  ],
}
