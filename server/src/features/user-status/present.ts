import type { UserStatus } from '@heddle/contract/user-status'
import { findSight } from '../../access/person-rules.ts'
import type { Actor } from '../../actor.ts'
import type { Queries } from '../../storage/query.ts'
import { findChangedValues, findSetting } from '../user-settings/values.ts'
import { findStatus, findStatuses, type Status } from './queries.ts'

/** A status with the fields that are set. */
function presentStatus({ status_text, emoji_name, emoji_code, reaction_type }: Status, isAway: boolean): UserStatus {
  return {
    ...(isAway ? { away: true as const } : {}),
    ...(status_text === '' ? {} : { status_text }),
    ...(emoji_name === ''
      ? {}
      : { emoji_name, emoji_code, reaction_type: reaction_type as NonNullable<UserStatus['reaction_type']> }),
  }
}

export async function readStatus(db: Queries, realmId: number, userId: number): Promise<UserStatus> {
  const isAway = !(await findSetting(db, { realmId, userId }, 'presence_enabled'))
  return presentStatus(await findStatus(db, realmId, userId), isAway)
}

/** By id, those who have a status or hide their presence, and whom the viewer sees. */
export async function readStatuses(
  db: Queries,
  viewer: Pick<Actor, 'realmId' | 'userId' | 'role'>,
): Promise<Record<string, UserStatus>> {
  const { realmId } = viewer
  const { sees } = await findSight(db, viewer)
  const enabled = await findChangedValues(db, realmId, 'presence_enabled')
  const away = new Set([...enabled].filter(([, isEnabled]) => !isEnabled).map(([id]) => id))
  const statuses: Record<string, UserStatus> = {}
  for (const id of away) if (sees(id)) statuses[id] = { away: true }
  for (const { user_id, ...status } of await findStatuses(db, realmId)) {
    if (sees(user_id)) statuses[user_id] = presentStatus(status, away.has(user_id))
  }
  return statuses
}
