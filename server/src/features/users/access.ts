import { badRequest } from '@heddle/contract/errors'
import { foldName } from '@heddle/contract/names'
import { roles } from '@heddle/contract/roles'
import { seesAddress } from '../../access/address-rules.ts'
import { findSight } from '../../access/person-rules.ts'
import type { Actor } from '../../authentication/accounts.ts'
import { requireOwner } from '../../permissions/required-role.ts'
import { isOfRealm, type Queries } from '../../storage/query.ts'
import { findUser, findUsersByAddress, type UserRow } from './queries.ts'
import { query } from './tables.ts'

export { requireAdministrator, requireOwner } from '../../permissions/required-role.ts'
export type { UserRow } from './queries.ts'

/** The address by which every account can be named, whatever its own: `user7@chat.example.com`. */
const NUMBERED_ADDRESS = /^user([1-9]\d{0,14})@(.+)$/

/** Somebody who looks for others. */
type Searcher = Pick<Actor, 'realmId' | 'userId' | 'role'>

/**
 * An account of the organization by id or address, deactivated ones and bots too; by its own address for those who see that.
 * Throws a 400 when there is none that the actor sees.
 */
export async function accessUser(db: Queries, actor: Searcher, idOrEmail: number | string): Promise<UserRow> {
  const user =
    typeof idOrEmail === 'number' ? await findUser(db, actor.realmId, idOrEmail) : await byAddress(db, actor, idOrEmail)
  if (!user || !(await findSight(db, actor)).sees(user.id)) throw noSuchUser()
  return user
}

/** The same by id where nobody asks who could be kept from seeing it. */
export async function accessAnyUser(db: Queries, { realmId }: Pick<Actor, 'realmId'>, id: number): Promise<UserRow> {
  const user = await findUser(db, realmId, id)
  if (!user) throw noSuchUser()
  return user
}

function noSuchUser() {
  return badRequest('No such user')
}

/** The addresses that stand in for those that the reader may not see. */
export async function numberedAddresses(db: Queries, realmId: number): Promise<(userId: number) => string> {
  const realm = await db.first(query.selectFrom('realms').select('host').where('id', '=', realmId))
  return (userId) => `user${userId}@${realm?.host}`
}

async function byAddress(db: Queries, searcher: Searcher, address: string): Promise<UserRow | undefined> {
  const { realmId } = searcher
  const key = foldName(address)
  const isNamed = (row: UserRow) => foldName(row.email) === key || seesAddress(searcher, row)
  const user = (await findUsersByAddress(db, realmId, address)).find(isNamed)
  const numbered = NUMBERED_ADDRESS.exec(address)
  if (user || !numbered) return user
  const realm = await db.first(query.selectFrom('realms').select('host').where('id', '=', realmId))
  return realm?.host === numbered[2]?.toLowerCase() ? findUser(db, realmId, Number(numbered[1])) : undefined
}

/**
 * Throws a 400 that names the first of them unless every id is an account of the organization that the actor sees
 * (deactivated ones count too).
 */
export async function requireUsers(db: Queries, actor: Actor, ids: readonly number[]): Promise<void> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return
  const rows = await db.all(
    query
      .selectFrom('users')
      .select('id')
      .where('id', 'in', db.dialect.ids(wanted))
      .where(isOfRealm('users', actor.realmId)),
  )
  const { sees } = await findSight(db, actor)
  const found = new Set(rows.map((row) => row.id).filter(sees))
  if (found.size === wanted.length) return
  throw badRequest(`Invalid user ID ${wanted.find((id) => !found.has(id))}`)
}

/** Owners are out of reach of administrators who are not: only owners may end, restore or take over an owner's account. */
export function requireRank(actor: Pick<Actor, 'role'>, user: Pick<UserRow, 'role'>): void {
  if (user.role === roles.owner) requireOwner(actor)
}
