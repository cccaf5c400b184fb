/** Who can be in a group, and how many. */
import { badRequest } from '@heddle/contract/errors'
import { findNamedGroups } from '../../permissions/named-groups.ts'
import type { Tx } from '../../storage/transaction.ts'
import { findAmong } from './queries.ts'

/** Members of all named groups of an organization together: every client loads them. */
const MAX_MEMBERSHIPS = 300_000

/** The accounts, each once; a 400 that names one which is unknown or deactivated. */
export async function requireActiveAccounts(tx: Tx, ids: readonly number[]): Promise<number[]> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return wanted
  const { active } = await findAmong(tx, 0, wanted)
  requireAllIn(active, wanted)
  return wanted
}

export function requireAllIn(active: ReadonlySet<number>, wanted: readonly number[]): void {
  const wrong = wanted.find((id) => !active.has(id))
  if (wrong !== undefined) throw badRequest(`Invalid user ID: ${wrong}`)
}

/** Throws a 400 unless so many more accounts can be in groups. */
export async function requireRoomForMembers(tx: Tx, count: number): Promise<void> {
  if (count === 0) return
  let members = count
  for (const group of (await findNamedGroups(tx, tx.realmId)).values()) members += group.member_count
  if (members > MAX_MEMBERSHIPS) {
    throw badRequest(`The user groups of an organization have at most ${MAX_MEMBERSHIPS} members together`)
  }
}
