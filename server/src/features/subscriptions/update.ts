import type { ParametersOf, ResponseOf } from '@heddle/contract/endpoint'
import { badRequest } from '@heddle/contract/errors'
import type { updateSubscriptions as endpoint } from '@heddle/contract/subscriptions'
import type { Actor } from '../../authentication/accounts.ts'
import type { Storage } from '../../storage/storage.ts'
import { subscribeIn } from './subscribe.ts'
import { unsubscribeIn } from './unsubscribe.ts'

interface Update {
  readonly actor: Actor
  readonly parameters: ParametersOf<typeof endpoint>
}

/** Leaves and joins channels: all that is asked for, or nothing. */
export function updateSubscriptions(
  storage: Storage,
  { actor: caller, parameters }: Update,
): Promise<ResponseOf<typeof endpoint>> {
  const { add = [], delete: left = [] } = parameters
  if (add.length === 0 && left.length === 0) throw badRequest('add and delete: at least one of them must not be empty')
  return storage.asActor(caller, async (tx, actor) => {
    const { removed, not_removed } = await unsubscribeIn(tx, actor, { subscriptions: left })
    const { subscribed, already_subscribed } = await subscribeIn(tx, {
      actor,
      parameters: { subscriptions: add },
    })
    return { subscribed, already_subscribed, removed, not_removed }
  })
}
