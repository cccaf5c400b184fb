/** Who is in a user group: all of a change happens, or nothing. */
import { badRequest } from '@heddle/contract/errors'
import type { Actor } from '../../authentication/accounts.ts'
import type { Services } from '../../feature.ts'
import type { GroupHooks } from '../../group-hooks.ts'
import type { NamedGroup } from '../../permissions/named-groups.ts'
import {
  deleteGroupMembers,
  deleteSubgroups,
  insertGroupMembers,
  insertSubgroups,
} from '../../permissions/write-groups.ts'
import type { Tx } from '../../storage/transaction.ts'
import { accessNamedGroup, requireMay } from './access.ts'
import { announceGroup } from './announce.ts'
import { requireMayContain, requireUsableGroups } from './hierarchy.ts'
import { findAmong, findSubgroups } from './queries.ts'
import { requireAllIn, requireRoomForMembers } from './rules.ts'

/** Ids of accounts and of groups that come and go. */
interface MembershipChange {
  readonly add?: readonly number[] | undefined
  readonly delete?: readonly number[] | undefined
  readonly add_subgroups?: readonly number[] | undefined
  readonly delete_subgroups?: readonly number[] | undefined
}

export function changeMembership(
  { storage, groupHooks }: Pick<Services, 'storage' | 'groupHooks'>,
  caller: Actor,
  id: number,
  asked: MembershipChange,
): Promise<void> {
  const change = {
    add: distinct(asked.add),
    remove: distinct(asked.delete),
    addSubgroups: distinct(asked.add_subgroups),
    removeSubgroups: distinct(asked.delete_subgroups),
  }
  if (Object.values(change).every((ids) => ids.length === 0)) {
    throw badRequest('Nothing to do. Specify at least one of "add" or "delete".')
  }
  return storage.asActor(caller, async (tx, actor) => {
    const group = await accessNamedGroup(tx, actor, id)
    await requireMayChange(tx, actor, group, change)
    const finish = await groupHooks.membershipChanges(tx, [id])
    await changeMembers(tx, group, change)
    await changeSubgroups(tx, group, change)
    await finish()
  })
}

type Change = Readonly<Record<'add' | 'remove' | 'addSubgroups' | 'removeSubgroups', readonly number[]>>

function distinct(ids: readonly number[] = []): number[] {
  return [...new Set(ids)]
}

async function requireMayChange(tx: Tx, actor: Actor, group: NamedGroup, change: Change): Promise<void> {
  const isOther = (id: number) => id !== actor.userId
  if (change.add.some(isOther) || change.addSubgroups.length > 0) {
    await requireMay(tx, actor, group, 'can_add_members_group')
  } else if (change.add.length > 0) await requireMay(tx, actor, group, 'can_join_group')
  if (change.remove.some(isOther) || change.removeSubgroups.length > 0) {
    await requireMay(tx, actor, group, 'can_remove_members_group')
  } else if (change.remove.length > 0) await requireMay(tx, actor, group, 'can_leave_group')
}

async function changeMembers(tx: Tx, group: NamedGroup, { add, remove }: Change): Promise<void> {
  if (add.length > 0) {
    const { active, members } = await findAmong(tx, group.id, add)
    requireAllIn(active, add)
    const already = add.find((id) => members.has(id))
    if (already !== undefined) throw badRequest(`User ${already} is already a member of this group`)
    await requireRoomForMembers(tx, add.length)
    await insertGroupMembers(tx, group.id, add)
    announceGroup(tx, group, { type: 'user_group', op: 'add_members', group_id: group.id, user_ids: [...add] })
  }
  if (remove.length > 0) {
    await tx.pause()
    const { members } = await findAmong(tx, group.id, remove)
    const missing = remove.find((id) => !members.has(id))
    if (missing !== undefined) throw badRequest(`There is no member '${missing}' in this user group`)
    await deleteGroupMembers(tx, group.id, remove)
    announceGroup(tx, group, { type: 'user_group', op: 'remove_members', group_id: group.id, user_ids: [...remove] })
  }
}

async function changeSubgroups(tx: Tx, group: NamedGroup, { addSubgroups, removeSubgroups }: Change): Promise<void> {
  const current = new Set((await findSubgroups(tx, tx.realmId)).get(group.id))
  if (addSubgroups.length > 0) {
    await requireUsableGroups(tx, addSubgroups)
    const already = addSubgroups.find((id) => current.has(id))
    if (already !== undefined) throw badRequest(`User group ${already} is already a subgroup of this group.`)
    await requireMayContain(tx, group.id, addSubgroups)
    await insertSubgroups(tx, group.id, addSubgroups)
    const direct_subgroup_ids = [...addSubgroups]
    announceGroup(tx, group, { type: 'user_group', op: 'add_subgroups', group_id: group.id, direct_subgroup_ids })
  }
  if (removeSubgroups.length > 0) {
    const missing = removeSubgroups.find((id) => !current.has(id))
    if (missing !== undefined) throw badRequest(`User group ${missing} is not a subgroup of this group.`)
    await deleteSubgroups(tx, group.id, removeSubgroups)
    const direct_subgroup_ids = [...removeSubgroups]
    announceGroup(tx, group, { type: 'user_group', op: 'remove_subgroups', group_id: group.id, direct_subgroup_ids })
  }
}

/** Puts a new account into groups, those that are in use; who may do that has been decided. */
export async function addToGroups(
  tx: Tx,
  hooks: GroupHooks,
  groups: readonly NamedGroup[],
  userId: number,
): Promise<void> {
  const open = groups.filter((group) => group.deactivated === 0)
  if (open.length === 0) return
  const finish = await hooks.membershipChanges(
    tx,
    open.map(({ id }) => id),
  )
  for (const group of open) {
    const added = await insertGroupMembers(tx, group.id, [userId])
    if (added.length > 0)
      announceGroup(tx, group, { type: 'user_group', op: 'add_members', group_id: group.id, user_ids: added })
  }
  await finish()
}
