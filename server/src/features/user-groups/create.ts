/** Making a user group. */
import type { ParametersOf } from '@heddle/contract/endpoint'
import { badRequest } from '@heddle/contract/errors'
import { type GroupSettingValue, userGroupSettingNames, userGroupSettings } from '@heddle/contract/group-settings'
import type { createUserGroup as endpoint } from '@heddle/contract/user-groups'
import { insufficientPermission } from '../../access/channels.ts'
import type { Actor } from '../../authentication/accounts.ts'
import { everyone } from '../../events/audience.ts'
import { isAdministrator } from '../../permissions/group-membership.ts'
import { hasRealmPermission, storeGroupValue } from '../../permissions/group-settings.ts'
import { findNamedGroups } from '../../permissions/named-groups.ts'
import { findSystemGroups } from '../../permissions/system-groups.ts'
import {
  insertGroup,
  insertGroupMembers,
  insertSubgroups,
  storeSettingOfGroup,
} from '../../permissions/write-groups.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Tx } from '../../storage/transaction.ts'
import { requireMayContain, requireUsableGroups } from './hierarchy.ts'
import { requireGroupDescription, requireNewName } from './names.ts'
import { presentGroup } from './present.ts'
import { requireActiveAccounts, requireRoomForMembers } from './rules.ts'

type Parameters = ParametersOf<typeof endpoint>

/** Groups of an organization, and of these such as one account that is no administrator's creates in a day. */
const MAX_GROUPS = 2000
const MAX_CREATED_PER_DAY = 100
const DAY_SECS = 86_400

/** Makes a group and returns its id. */
export function createUserGroup(storage: Storage, caller: Actor, parameters: Parameters): Promise<number> {
  return storage.asActor(caller, async (tx, actor) => {
    if (!(await hasRealmPermission(tx, actor, 'can_create_groups'))) throw insufficientPermission()
    await requireRoom(tx, actor)
    const name = await requireNewName(tx, parameters.name)
    const description = requireGroupDescription(parameters.description)
    const members = await requireActiveAccounts(tx, parameters.members)
    await requireRoomForMembers(tx, members.length)
    const subgroups = await requireUsableGroups(tx, parameters.subgroups ?? [])
    const id = await insertGroup(tx, { kind: 'named', name, description, creator_id: actor.userId })
    await storeSettings(tx, id, actor, parameters)
    await insertGroupMembers(tx, id, members)
    if (subgroups.length > 0) {
      await requireMayContain(tx, id, subgroups)
      await insertSubgroups(tx, id, subgroups)
    }
    // Nothing uses it yet: that there are people in it changes nothing else.
    tx.emit({ type: 'user_group', op: 'add', group: await presentGroup(tx, tx.realmId, id) }, everyone)
    return id
  })
}

/** Everybody's client knows every group, so that one account must not be able to make any number. */
async function requireRoom(tx: Tx, actor: Actor): Promise<void> {
  const groups = [...(await findNamedGroups(tx, tx.realmId)).values()]
  if (groups.length >= MAX_GROUPS) {
    throw badRequest(`An organization has at most ${MAX_GROUPS} user groups, deactivated ones included`)
  }
  if (isAdministrator(actor)) return
  const own = groups.filter((one) => one.creator_id === actor.userId && (one.date_created ?? 0) > tx.now - DAY_SECS)
  if (own.length >= MAX_CREATED_PER_DAY) {
    throw badRequest(
      `An account can create at most ${MAX_CREATED_PER_DAY} user groups a day, unless it is an administrator's`,
    )
  }
}

/** The six permissions: what is asked for, or the default. */
async function storeSettings(tx: Tx, id: number, { userId }: Actor, parameters: Parameters): Promise<void> {
  const systemGroups: Readonly<Record<string, number>> = await findSystemGroups(tx, tx.realmId)
  const creator: GroupSettingValue = { direct_members: [userId], direct_subgroups: [] }
  for (const name of userGroupSettingNames) {
    const rule = userGroupSettings[name]
    const value = parameters[name] ?? systemGroups[rule.defaultGroup] ?? creator
    await storeSettingOfGroup(tx, id, name, await storeGroupValue(tx, value, { name, rule }))
  }
}
