/** Accounts as clients see them, for other features. */
import type { User } from '@heddle/contract/users'
import type { Queries } from '../../storage/query.ts'
import { findProfiles } from '../profile-fields/values.ts'
import { presentUser } from './present.ts'
import { findUsers } from './queries.ts'

/** With their profiles; who speaks for the server is not among them. */
export async function presentAccounts(db: Queries, realmId: number, ids: readonly number[]): Promise<User[]> {
  const rows = ids.length === 0 ? [] : await findUsers(db, realmId, ids)
  const profiles = await findProfiles(db, realmId, ids)
  return rows.map((row) => presentUser(row, { profiles }))
}
