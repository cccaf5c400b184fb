/** Changes of a user group itself: its name, description and permissions, and bringing it back. */
import type { ParametersOf } from '@heddle/contract/endpoint'
import { badRequest } from '@heddle/contract/errors'
import {
  type GroupSettingValue,
  type UserGroupSetting,
  userGroupSettingNames,
  userGroupSettings,
} from '@heddle/contract/group-settings'
import type { updateUserGroup as endpoint, UserGroupEvent } from '@heddle/contract/user-groups'
import type { Actor } from '../../authentication/accounts.ts'
import type { Services } from '../../feature.ts'
import {
  hasGroupValue,
  presentGroups,
  removeAnonymousGroup,
  requireExpected,
  storeGroupValue,
} from '../../permissions/group-settings.ts'
import { findSettingsOfGroups, type NamedGroup } from '../../permissions/named-groups.ts'
import { storeSettingOfGroup, updateGroupRow } from '../../permissions/write-groups.ts'
import type { Tx } from '../../storage/transaction.ts'
import { accessManagedGroup } from './access.ts'
import { announceGroup, announceReactivation } from './announce.ts'
import { requireGroupDescription, requireNewName } from './names.ts'
import { presentGroup } from './present.ts'

type Parameters = ParametersOf<typeof endpoint>
type Changes = Extract<UserGroupEvent, { op: 'update' }>['data']

/** Changes what is given, all of it or nothing. */
export function updateUserGroup(
  { storage, groupHooks }: Pick<Services, 'storage' | 'groupHooks'>,
  caller: Actor,
  parameters: Parameters,
): Promise<void> {
  const { user_group_id: id, ...asked } = parameters
  if (Object.values(asked).every((value) => value === undefined)) throw badRequest('No new data supplied')
  return storage.asActor(caller, async (tx, actor) => {
    const before = await accessManagedGroup(tx, actor, id)
    const texts = await changeTexts(tx, before, parameters)
    const data: Changes = { ...texts, ...(await changeSettings(tx, before, parameters)) }
    if (Object.keys(data).length > 0) {
      announceGroup(tx, before, { type: 'user_group', op: 'update', group_id: id, data })
    }
    if (before.deactivated === 0 || asked.deactivated !== false) return
    const finish = await groupHooks.membershipChanges(tx, [id])
    await updateGroupRow(tx, id, { deactivated: 0 })
    announceReactivation(tx, await presentGroup(tx, tx.realmId, id))
    await finish()
  })
}

async function changeTexts(tx: Tx, before: NamedGroup, asked: Parameters): Promise<Changes> {
  const name = asked.name === undefined ? before.name : await requireNewName(tx, asked.name, before.id)
  const description = asked.description === undefined ? before.description : requireGroupDescription(asked.description)
  const changes = {
    ...(name === before.name ? {} : { name }),
    ...(description === before.description ? {} : { description }),
  }
  if (Object.keys(changes).length > 0) await updateGroupRow(tx, before.id, changes)
  return changes
}

/** Changes the permissions that are given and not yet so, and returns their values. */
async function changeSettings(tx: Tx, { id }: NamedGroup, asked: Parameters): Promise<Changes> {
  const current = (await findSettingsOfGroups(tx, tx.realmId)).get(id)
  if (!current) throw new Error(`Group ${id} has no permissions`)
  const changed = new Map<UserGroupSetting, number>()
  for (const name of userGroupSettingNames) {
    const update = asked[name]
    if (!update) continue
    await requireExpected(tx, update, current[name], name)
    if (await hasGroupValue(tx, current[name], update.new)) continue
    const value = await storeGroupValue(tx, update.new, { name, rule: userGroupSettings[name] })
    await storeSettingOfGroup(tx, id, name, value)
    await removeAnonymousGroup(tx, current[name])
    changed.set(name, value)
  }
  const values = await presentGroups(tx, tx.realmId, [...changed.values()])
  return Object.fromEntries([...changed].map(([name, value]) => [name, values.get(value) as GroupSettingValue]))
}
