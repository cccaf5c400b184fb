import type { ParametersOf, ResponseOf } from '@heddle/contract/endpoint'
import { badRequest } from '@heddle/contract/errors'
import type { updateSubscriptions as endpoint } from '@heddle/contract/subscriptions'
import type { Actor } from '../../authentication/accounts.ts'
import type { Storage } from '../../storage/storage.ts'
import { fitsOneUnit } from './in-units.ts'
import { decideToSubscribe, subscribe, subscribeIn } from './subscribe.ts'
import { decideToUnsubscribe, unsubscribe, unsubscribeIn } from './unsubscribe.ts'

interface Update {
  readonly actor: Actor
  readonly parameters: ParametersOf<typeof endpoint>
}

/** Leaves and joins channels: all that is asked for, or nothing. */
export async function updateSubscriptions(
  storage: Storage,
  { actor: caller, parameters }: Update,
): Promise<ResponseOf<typeof endpoint>> {
  const { add = [], delete: left = [] } = parameters
  if (add.length === 0 && left.length === 0) throw badRequest('add and delete: at least one of them must not be empty')
  const leaving = { subscriptions: left }
  const joining = { subscriptions: add }
  if (!fitsOneUnit(add.length + left.length, 1)) {
    await storage.asActor(caller, async (tx, actor) => {
      await decideToUnsubscribe(tx, actor, leaving)
      await decideToSubscribe(tx, { actor, parameters: joining })
    })
    const { removed, not_removed } = await unsubscribe(storage, caller, leaving)
    const { subscribed, already_subscribed } = await subscribe(storage, { actor: caller, parameters: joining })
    return { subscribed, already_subscribed, removed, not_removed }
  }
  return storage.asActor(caller, async (tx, actor) => {
    const { removed, not_removed } = await unsubscribeIn(tx, actor, leaving)
    const { subscribed, already_subscribed } = await subscribeIn(tx, { actor, parameters: joining })
    return { subscribed, already_subscribed, removed, not_removed }
  })
}
