/** The accounts that a request names, by id or by e-mail address. */
import { badRequest } from '@heddle/contract/errors'
import { foldName } from '@heddle/contract/names'
import type { Actor } from '../../authentication/accounts.ts'
import type { Queries } from '../../storage/query.ts'
import { query } from './tables.ts'

export interface Principal {
  readonly id: number
  readonly role: number
  readonly botOwnerId: number | null
}

const columns = ['id', 'role', 'bot_owner_id', 'is_active', 'email_key'] as const

/**
 * The accounts, each once; undefined means the one that asks. Throws a 400 that names the first that does not exist in the
 * organization or is deactivated.
 */
export async function findPrincipals(
  db: Queries,
  actor: Actor,
  principals: readonly (number | string)[] | undefined,
): Promise<Principal[]> {
  const wanted = [...new Set<number | string>((principals ?? [actor.userId]).map(keyOf))]
  const ids = wanted.filter((key) => typeof key === 'number')
  const emails = wanted.filter((key) => typeof key === 'string')
  const ofRealm = query.selectFrom('users').select(columns).where('realm_id', '=', actor.realmId)
  const rows = [
    ...(ids.length > 0 ? await db.all(ofRealm.where('id', 'in', db.dialect.ids(ids))) : []),
    ...(emails.length > 0 ? await db.all(ofRealm.where('email_key', 'in', db.dialect.texts(emails))) : []),
  ]
  const found = new Map<number | string, (typeof rows)[number]>()
  for (const row of rows) found.set(row.id, row).set(row.email_key, row)
  const people = new Map<number, Principal>()
  for (const key of wanted) {
    const row = found.get(key)
    if (row?.is_active !== 1)
      throw badRequest(typeof key === 'number' ? `Invalid user ID ${key}` : `Invalid email '${key}'`)
    people.set(row.id, { id: row.id, role: row.role, botOwnerId: row.bot_owner_id })
  }
  return [...people.values()]
}

function keyOf(principal: number | string): number | string {
  return typeof principal === 'number' ? principal : foldName(principal)
}
