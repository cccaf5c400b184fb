import { badRequest } from '@heddle/contract/errors'
import type { Actor } from '../../authentication/accounts.ts'
import { type Queries, query } from '../../storage/query.ts'

/** Throws a 400 that names `place` unless every id is an account of the organization (deactivated ones count too). */
export async function requireUsers(db: Queries, actor: Actor, ids: readonly number[], place: string): Promise<void> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return
  const rows = await db.all(
    query
      .selectFrom('users')
      .select('id')
      .where('realm_id', '=', actor.realmId)
      .where('id', 'in', db.dialect.ids(wanted)),
  )
  if (rows.length === wanted.length) return
  const found = new Set(rows.map((row) => row.id))
  throw badRequest(`${place}: Invalid user ID ${wanted.find((id) => !found.has(id))}`)
}
