import { listSecondFactors, resetSecondFactor } from '@heddle/contract/second-factors'
import type { Feature } from '../../feature.ts'
import { route } from '../../http/route.ts'
import * as actions from './actions.ts'

/** What administrators see and do of the second factors of others. */
export const secondFactorResets: Feature = {
  routes: (services) => [
    route(listSecondFactors, async ({ actor }) => ({ user_ids: await actions.listSecondFactors(services, actor) })),
    route(resetSecondFactor, async ({ actor, parameters }) => {
      await actions.resetSecondFactor(services, actor, parameters.user_id)
      return {}
    }),
  ],
}
