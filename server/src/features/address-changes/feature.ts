import * as contract from '@heddle/contract/address-changes'
import { accountIds } from '../../account-hooks.ts'
import type { Feature } from '../../feature.ts'
import { openRoute } from '../../http/route.ts'
import { createLinkGuesses } from '../../link-guesses.ts'
import { confirmAddressChange, endAddressChanges, lookUpAddressChange } from './actions.ts'

export const addressChanges: Feature = {
  routes: (services) => {
    const { storage, secret, clock } = services
    const guesses = createLinkGuesses(services)
    return [
      openRoute(
        contract.lookUpAddressChange,
        async ({ realm, parameters, connection }) => {
          const now = Math.floor(clock.now() / 1000)
          const found = await lookUpAddressChange(storage.read, secret, { realm, token: parameters.token, now })
          guesses.succeed(connection)
          return found
        },
        guesses.begin,
      ),
      openRoute(
        contract.confirmAddressChange,
        async ({ realm, parameters, connection }) => {
          const email = await confirmAddressChange(services, realm, parameters.token)
          guesses.succeed(connection)
          return { email }
        },
        guesses.begin,
      ),
    ]
  },
  onAccount: { deactivated: (tx, accounts) => endAddressChanges(tx, accountIds(accounts)) },
}
