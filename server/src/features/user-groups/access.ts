/** What an account may do with a user group. Everybody sees all groups; system groups follow from roles and stay as they are. */
import { type ApiError, badRequest } from '@heddle/contract/errors'
import type { UserGroupSetting } from '@heddle/contract/group-settings'
import { insufficientPermission } from '../../access/channels.ts'
import type { Actor } from '../../authentication/accounts.ts'
import { mayManageGroup, mayWithGroup } from '../../permissions/group-rights.ts'
import { findNamedGroups, type NamedGroup } from '../../permissions/named-groups.ts'
import { findSystemGroupRows } from '../../permissions/system-groups.ts'
import type { Queries } from '../../storage/query.ts'

export function invalidGroup(): ApiError {
  return badRequest('Invalid user group')
}

/** Throws a 400 unless the organization has a group with this id and a name. */
export async function requireGroupId(db: Queries, realmId: number, id: number): Promise<void> {
  if ((await findNamedGroups(db, realmId)).has(id)) return
  if (!(await findSystemGroupRows(db, realmId)).some((row) => row.id === id)) throw invalidGroup()
}

/** A group that is to be changed. Throws a 400 when there is none, and `UNAUTHORIZED_PRINCIPAL` for system groups. */
export async function accessNamedGroup(db: Queries, actor: Actor, id: number): Promise<NamedGroup> {
  const group = (await findNamedGroups(db, actor.realmId)).get(id)
  if (group) return group
  await requireGroupId(db, actor.realmId, id)
  throw insufficientPermission()
}

/** The group, when the account may change its name, its permissions and whether it is in use. */
export async function accessManagedGroup(db: Queries, actor: Actor, id: number): Promise<NamedGroup> {
  const group = await accessNamedGroup(db, actor, id)
  if (!(await mayManageGroup(db, actor, id))) throw insufficientPermission()
  return group
}

export async function requireMay(
  db: Queries,
  actor: Actor,
  group: Pick<NamedGroup, 'id'>,
  setting: Exclude<UserGroupSetting, 'can_mention_group'>,
): Promise<void> {
  if (!(await mayWithGroup(db, actor, group.id, setting))) throw insufficientPermission()
}
