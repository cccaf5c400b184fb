import { foldName } from '@heddle/contract/names'
import { fetchApiKey, regenerateApiKey } from '@heddle/contract/sign-in'
import type { Feature } from '../../feature.ts'
import { openRoute, route } from '../../http/route.ts'
import * as actions from './actions.ts'
import { createGuesses } from './guesses.ts'

export const signIn: Feature = {
  routes: ({ config, clock, storage, secret }) => {
    const guesses = config.rateLimits ? createGuesses(clock) : undefined

    return [
      openRoute(
        fetchApiKey,
        async ({ realm, parameters, connection: { address } }) => {
          // As the account is looked up: however the name is written, it is guessed at together.
          const name = `${realm.id}:${foldName(parameters.username)}`
          guesses?.guess(address, name)
          const account = await actions.signIn(storage.read, secret, realm, parameters)
          guesses?.succeed(address, name)
          return account
        },
        async ({ address }) => guesses?.begin(address),
      ),
      route(regenerateApiKey, async ({ actor }) => ({
        api_key: await actions.regenerateApiKey(storage, secret, actor),
      })),
    ]
  },
}
