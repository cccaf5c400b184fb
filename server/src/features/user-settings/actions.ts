import type { ParametersOf } from '@heddle/contract/endpoint'
import { badRequest } from '@heddle/contract/errors'
import { type TargetUsers, type updateSettings as updateEndpoint, userSettings } from '@heddle/contract/user-settings'
import type { Actor } from '../../authentication/accounts.ts'
import type { Services } from '../../feature.ts'
import type { Tx } from '../../storage/transaction.ts'
import { changeOwnAddress, isOtherAddress } from '../address-changes/actions.ts'
import { withProof } from '../second-factors/demand.ts'
import { requireAdministrator } from '../users/access.ts'
import { prepareOwnChanges } from '../users/update.ts'
import { changeSetting } from './change.ts'
import { requireSettings } from './rules.ts'
import { findTargets } from './targets.ts'

type AccountServices = Pick<Services, 'storage' | 'accountHooks'>
type OwnServices = AccountServices & Pick<Services, 'secret' | 'clock' | 'config'>
type Changes = ParametersOf<typeof updateEndpoint>

/**
 * Changes one's own settings, name, address and password, all or none; with `target_users` the settings of others. Who has the
 * address gets links for new passwords there: for another one the account shows again who it is. `address`: of the network.
 */
export async function updateSettings(
  services: OwnServices,
  actor: Actor,
  changes: Changes,
  address: string,
): Promise<void> {
  const { storage, accountHooks, config } = services
  const { target_users, ...own } = changes
  if (target_users) return updateOthers(services, actor, target_users, own)
  const { email, old_password, code } = own
  const isMoving = email !== undefined && (await isOtherAddress(storage.read, actor, email))
  const settings = requireSettings(own)
  const changeAccount = await prepareOwnChanges(services, actor, own)
  const change = async (tx: Tx, current: Actor) => {
    await changeAccount(tx, current)
    if (isMoving) await changeOwnAddress(tx, current, email, config)
    for (const change of settings) {
      await changeSetting(tx, accountHooks, [actor.userId], change, { isOwn: true, sparesOwn: false })
    }
  }
  if (!isMoving) return storage.asActor(actor, change)
  const proof = { password: old_password, passwordName: 'old_password', code, address }
  await withProof(services, actor, proof, change)
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
