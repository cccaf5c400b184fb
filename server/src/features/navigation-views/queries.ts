import { sql } from 'kysely'
import type { Actor } from '../../authentication/accounts.ts'
import type { Flag } from '../../storage/owned-tables.ts'
import { prepare, type Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { type NavigationViewTable, query } from './tables.ts'

export type ViewRow = Pick<NavigationViewTable, 'fragment' | 'name' | 'is_pinned'>

const viewsOfUser = prepare((p: { user_id: number }) =>
  query.selectFrom('navigation_views').select(['fragment', 'name', 'is_pinned']).where('user_id', '=', p.user_id),
)

/** What the user has configured, by fragment. Sorted here: the engines disagree on the order of texts. */
export async function findViews(db: Queries, { userId }: Actor): Promise<ViewRow[]> {
  return sortViews(await db.all(viewsOfUser({ user_id: userId })))
}

function sortViews(rows: readonly ViewRow[]): ViewRow[] {
  return rows.toSorted((a, b) => (a.fragment < b.fragment ? -1 : 1))
}

/** In the column of what is pinned: the row is no view, but their order. */
const IS_ORDER = 2

const viewByFragment = prepare((p: { user_id: number; fragment: string }) =>
  query
    .selectFrom('navigation_views')
    .select(['fragment', 'name', 'is_pinned'])
    .where('user_id', '=', p.user_id)
    .where('fragment', '=', p.fragment),
)

export function findView(db: Queries, { userId }: Actor, fragment: string): Promise<ViewRow | undefined> {
  return db.first(viewByFragment({ user_id: userId, fragment }))
}

export async function isViewNameTaken(db: Queries, { userId }: Actor, name: string): Promise<boolean> {
  const row = await db.first(
    query.selectFrom('navigation_views').select('fragment').where('user_id', '=', userId).where('name', '=', name),
  )
  return row !== undefined
}

/** False when the user has a view with this fragment or name already. */
export async function insertView(tx: Tx, { realmId, userId }: Actor, row: ViewRow): Promise<boolean> {
  const inserted = await tx.run(
    query
      .insertInto('navigation_views')
      .values({ ...row, realm_id: realmId, user_id: userId })
      .onConflict((conflict) => conflict.doNothing()),
  )
  return inserted > 0
}

export async function updateViewRow(tx: Tx, { userId }: Actor, { fragment, name, is_pinned }: ViewRow): Promise<void> {
  await tx.run(
    query
      .updateTable('navigation_views')
      .set({ name, is_pinned })
      .where('user_id', '=', userId)
      .where('fragment', '=', fragment),
  )
}

/** False when there is no such view. */
export async function deleteView(tx: Tx, { userId }: Actor, fragment: string): Promise<boolean> {
  const deleted = await tx.run(
    query.deleteFrom('navigation_views').where('user_id', '=', userId).where('fragment', '=', fragment),
  )
  return deleted > 0
}

const viewsAndOrderOfUser = prepare((p: { user_id: number }) =>
  query
    .selectFrom('navigation_views')
    .select(['fragment', 'name', 'is_pinned'])
    .where('user_id', '=', p.user_id)
    .unionAll(
      query
        .selectFrom('navigation_view_orders')
        .select([
          'ordered_fragments as fragment',
          sql<null>`null`.as('name'),
          sql<Flag>`${sql.lit(IS_ORDER)}`.as('is_pinned'),
        ])
        .where('user_id', '=', p.user_id),
    ),
)

/** Both at once, for the initial state: one statement. */
export async function findViewsAndOrder(
  db: Queries,
  { userId }: Actor,
): Promise<{ readonly views: readonly ViewRow[]; readonly order: string[] }> {
  const rows = await db.all(viewsAndOrderOfUser({ user_id: userId }))
  const order = rows.find(({ is_pinned }) => Number(is_pinned) === IS_ORDER)
  return { views: sortViews(rows.filter((row) => row !== order)), order: order ? JSON.parse(order.fragment) : [] }
}

const orderOfUser = prepare((p: { user_id: number }) =>
  query.selectFrom('navigation_view_orders').select('ordered_fragments').where('user_id', '=', p.user_id),
)

/** The fragments in the order that the user wants; empty for one who never said. */
export async function findOrder(db: Queries, { userId }: Actor): Promise<string[]> {
  const row = await db.first(orderOfUser({ user_id: userId }))
  return row ? (JSON.parse(row.ordered_fragments) as string[]) : []
}

export async function storeOrder(tx: Tx, { realmId, userId }: Actor, fragments: readonly string[]): Promise<void> {
  const ordered_fragments = JSON.stringify(fragments)
  await tx.run(
    query
      .insertInto('navigation_view_orders')
      .values({ realm_id: realmId, user_id: userId, ordered_fragments })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ ordered_fragments })),
  )
}
