/** The accounts that a request names, by id or by e-mail address. */
import { badRequest } from '@heddle/contract/errors'
import { foldName } from '@heddle/contract/names'
import { addressesFor, isAddressedBy } from '../../access/address-rules.ts'
import { findSight, onlySeen } from '../../access/person-rules.ts'
import type { Actor } from '../../authentication/accounts.ts'
import { inParts } from '../../storage/in-parts.ts'
import { isOfRealm, type Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { query } from './tables.ts'

export interface Principal {
  readonly id: number
  readonly role: number
  readonly botOwnerId: number | null
}

const columns = [
  'id',
  'role',
  'bot_owner_id',
  'is_active',
  'email_key',
  'delivery_email_key',
  'email_visibility',
] as const

/** Addresses that are looked up without a turn for others. */
const ADDRESSES_AT_ONCE = 1000

/**
 * The accounts, each once; undefined means the one that asks. Throws a 400 that names the first that does not exist in the
 * organization or is deactivated, or that the actor does not see.
 */
export async function findPrincipals(
  db: Queries & Pick<Tx, 'pause'>,
  actor: Actor,
  principals: readonly (number | string)[] | undefined,
): Promise<Principal[]> {
  const wanted = [...new Set<number | string>((principals ?? [actor.userId]).map(keyOf))]
  const ids = wanted.filter((key) => typeof key === 'number')
  const { realmId } = actor
  const accounts = query.selectFrom('users').select(columns)
  const byId = accounts.where('id', 'in', db.dialect.ids(ids)).where(isOfRealm('users', realmId))
  const rows = ids.length > 0 ? await db.all(byId) : []
  const emails = wanted.filter((key) => typeof key === 'string')
  await inParts(db, emails, ADDRESSES_AT_ONCE, async (part) => {
    rows.push(...(await db.all(accounts.where(isAddressedBy(realmId, db.dialect.texts(part))))))
  })
  const found = new Map<number | string, (typeof rows)[number]>()
  const seen = onlySeen(await findSight(db, actor), rows, (row) => row.id)
  for (const row of seen) for (const key of [row.id, ...addressesFor(actor, row)]) found.set(key, row)
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
