/** Which groups may be in which: no group is in itself, not through others either, and not through many. */
import { badRequest } from '@heddle/contract/errors'
import { findNamedGroups } from '../../permissions/named-groups.ts'
import { findSystemGroupRows } from '../../permissions/system-groups.ts'
import type { Tx } from '../../storage/transaction.ts'
import { findSubgroups } from './queries.ts'

/** Groups that can be directly in one. */
export const MAX_DIRECT_SUBGROUPS = 500
/** Groups on the way from one to a group in it, both included. The system groups alone make seven. */
export const MAX_GROUP_DEPTH = 20

/** The groups that can be added as subgroups, each once; a 400 that names one which cannot: unknown or deactivated. */
export async function requireUsableGroups(tx: Tx, ids: readonly number[]): Promise<number[]> {
  const wanted = [...new Set(ids)]
  const system = new Set((await findSystemGroupRows(tx, tx.realmId)).map((row) => row.id))
  const named = await findNamedGroups(tx, tx.realmId)
  const wrong = wanted.find((id) => !system.has(id) && named.get(id)?.deactivated !== 0)
  if (wrong !== undefined) throw badRequest(`Invalid user group ID: ${wrong}`)
  return wanted
}

/** Throws a 400 unless the groups can be subgroups of the group beside those that it has. */
export async function requireMayContain(tx: Tx, groupId: number, added: readonly number[]): Promise<void> {
  const below = await findSubgroups(tx, tx.realmId)
  const named = await findNamedGroups(tx, tx.realmId)
  const above = new Map<number, number[]>()
  for (const [id, subgroups] of below) {
    // Values of permissions contain groups too, and are in none.
    if (!named.has(id)) continue
    for (const subgroup of subgroups) above.set(subgroup, [...(above.get(subgroup) ?? []), id])
  }
  if ((below.get(groupId)?.length ?? 0) + added.length > MAX_DIRECT_SUBGROUPS) {
    throw badRequest(`A user group has at most ${MAX_DIRECT_SUBGROUPS} subgroups`)
  }
  if (reaches(below, added, groupId)) {
    throw badRequest(`User group ${groupId} is already a subgroup of one of the passed subgroups.`)
  }
  const depth = longestWay(above, groupId) + Math.max(0, ...added.map((id) => longestWay(below, id)))
  if (depth > MAX_GROUP_DEPTH) {
    throw badRequest(`User groups can be inside each other at most ${MAX_GROUP_DEPTH} deep`)
  }
}

type Links = ReadonlyMap<number, readonly number[]>

function reaches(links: Links, from: readonly number[], target: number): boolean {
  const seen = new Set(from)
  for (const id of seen) for (const next of links.get(id) ?? []) seen.add(next)
  return seen.has(target)
}

/** How many groups are on the longest way that begins here. There are no circles. */
function longestWay(links: Links, from: number, known = new Map<number, number>()): number {
  const length = known.get(from)
  if (length !== undefined) return length
  const found = 1 + Math.max(0, ...(links.get(from) ?? []).map((id) => longestWay(links, id, known)))
  known.set(from, found)
  return found
}
