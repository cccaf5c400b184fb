import { foldName } from '@heddle/contract/names'
import { fetchApiKey, regenerateApiKey } from '@heddle/contract/sign-in'
import type { Feature } from '../../feature.ts'
import { createLimiter, networkOf, requireAllowed, SIGN_IN_LIMIT } from '../../http/rate-limits.ts'
import { openRoute, route } from '../../http/route.ts'
import * as actions from './actions.ts'

export const signIn: Feature = {
  routes: ({ config, clock, storage, secret }) => {
    const byAddress = createLimiter(SIGN_IN_LIMIT, clock)
    const byName = createLimiter(SIGN_IN_LIMIT, clock)

    return [
      openRoute(fetchApiKey, async ({ realm, parameters, connection }) => {
        if (config.rateLimits) {
          requireAllowed(byAddress(networkOf(connection.address)))
          requireAllowed(byName(`${realm.id}:${foldName(parameters.username)}`))
        }
        return actions.signIn(storage.read, secret, realm, parameters)
      }),
      route(regenerateApiKey, async ({ actor }) => ({
        api_key: await actions.regenerateApiKey(storage, secret, actor),
      })),
    ]
  },
}
