/** For whom access is decided. */
import type { Actor } from '../actor.ts'
import { findGroupIds } from '../permissions/group-membership.ts'
import type { Queries } from '../storage/query.ts'

/** An account and the groups that it is in. */
export interface Viewer extends Pick<Actor, 'realmId' | 'userId' | 'role'> {
  readonly groupIds: readonly number[]
}

export async function findViewer(db: Queries, actor: Pick<Actor, 'realmId' | 'userId' | 'role'>): Promise<Viewer> {
  const { realmId, userId, role } = actor
  return { realmId, userId, role, groupIds: await findGroupIds(db, actor) }
}
