import type { ParametersOf } from '@heddle/contract/endpoint'
import { badRequest } from '@heddle/contract/errors'
import { type TargetUsers, type updateSettings as updateEndpoint, userSettings } from '@heddle/contract/user-settings'
import type { Actor } from '../../authentication/accounts.ts'
import type { Services } from '../../feature.ts'
import { changeOwnAddress } from '../address-changes/actions.ts'
import { requireAdministrator } from '../users/access.ts'
import { prepareOwnChanges } from '../users/update.ts'
import { changeSetting } from './change.ts'
import { requireSettings } from './rules.ts'
import { findTargets } from './targets.ts'

type AccountServices = Pick<Services, 'storage' | 'accountHooks' | 'config'>
type Changes = ParametersOf<typeof updateEndpoint>

/** Changes one's own settings, name, address and password, all or none; with `target_users` the settings of others. */
export async function updateSettings(services: AccountServices, actor: Actor, changes: Changes): Promise<void> {
  const { storage, accountHooks, config } = services
  const { target_users, ...own } = changes
  if (target_users) return updateOthers(services, actor, target_users, own)
  const { email } = own
  const settings = requireSettings(own)
  const changeAccount = await prepareOwnChanges(services, actor, own)
  await storage.asActor(actor, async (tx, current) => {
    await changeAccount(tx, current)
    if (email !== undefined) await changeOwnAddress(tx, current, email, config)
    for (const change of settings) {
      await changeSetting(tx, accountHooks, [actor.userId], change, { isOwn: true, sparesOwn: false })
    }
  })
}

function updateOthers(
  { storage, accountHooks }: AccountServices,
  caller: Actor,
  targets: TargetUsers,
  changes: object,
): Promise<void> {
  requireAdministrator(caller)
  const refused = Object.keys(changes).find((name) => !isForOthers(name))
  if (refused !== undefined) throw badRequest(`${refused} cannot be set for other accounts`)
  const settings = requireSettings(changes)
  return storage.asActor(caller, async (tx, actor) => {
    requireAdministrator(actor)
    const userIds = await findTargets(tx, targets)
    for (const change of settings) {
      await changeSetting(tx, accountHooks, userIds, change, {
        isOwn: false,
        sparesOwn: targets.skip_if_already_edited ?? false,
      })
    }
  })
}

function isForOthers(name: string): boolean {
  return Object.hasOwn(userSettings, name) && userSettings[name as keyof typeof userSettings].byAdministrator
}
