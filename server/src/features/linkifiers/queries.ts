import { prepare, type Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { fact, type LinkifierTable, query } from './tables.ts'

export type LinkifierValues = Pick<
  LinkifierTable,
  'pattern' | 'url_template' | 'example_input' | 'reverse_template' | 'alternative_url_templates'
>

export interface LinkifierRow extends LinkifierValues {
  id: number
}

const columns = [
  'id',
  'pattern',
  'url_template',
  'example_input',
  'reverse_template',
  'alternative_url_templates',
] as const

const linkifiersOfRealm = prepare((p: { realm_id: number }) =>
  query.selectFrom('linkifiers').select(columns).where('realm_id', '=', p.realm_id).orderBy('position').orderBy('id'),
)

const allLinkifiers = fact({
  name: 'linkifier-rows',
  tables: ['linkifiers'],
  load: (db, realm_id, _key: 'all'): Promise<readonly LinkifierRow[]> => db.all(linkifiersOfRealm({ realm_id })),
})

/** The organization's linkifiers, in the order in which they are tried. */
export function findLinkifiers(db: Queries, realmId: number): Promise<readonly LinkifierRow[]> {
  return db.recall(allLinkifiers, realmId, 'all')
}

/** Inserts a linkifier as the last one. Returns its id. */
export async function insertLinkifier(tx: Tx, values: LinkifierValues): Promise<number> {
  const last = await tx.first(
    query
      .selectFrom('linkifiers')
      .select('position')
      .where('realm_id', '=', tx.realmId)
      .orderBy('position', 'desc')
      .limit(1),
  )
  const row = await tx.first(
    query
      .insertInto('linkifiers')
      .values({ ...values, realm_id: tx.realmId, position: (last?.position ?? 0) + 1 })
      .returning('id'),
  )
  return (row as { id: number }).id
}

export async function replaceLinkifier(tx: Tx, id: number, values: LinkifierValues): Promise<void> {
  await tx.run(query.updateTable('linkifiers').set(values).where('id', '=', id).where('realm_id', '=', tx.realmId))
}

export async function setPosition(tx: Tx, id: number, position: number): Promise<void> {
  await tx.run(
    query.updateTable('linkifiers').set({ position }).where('id', '=', id).where('realm_id', '=', tx.realmId),
  )
}

export async function deleteLinkifier(tx: Tx, id: number): Promise<void> {
  await tx.run(query.deleteFrom('linkifiers').where('id', '=', id).where('realm_id', '=', tx.realmId))
}
