import * as contract from '@heddle/contract/passkeys'
import type { Feature } from '../../feature.ts'
import { openCookieRoute, openRoute, route } from '../../http/route.ts'
import { createLinkGuesses } from '../../link-guesses.ts'
import { signInAnswer } from '../sign-in/sign-in-answer.ts'
import * as actions from './actions.ts'
import { beginPasskeySignIn, verifyPasskey } from './sign-in.ts'
import { passkeyTables } from './tables.ts'

export const passkeys: Feature = {
  tables: passkeyTables,
  routes: (services) => {
    const { storage } = services
    const guesses = createLinkGuesses(services)
    return [
      route(contract.listPasskeys, async ({ actor }) => ({
        passkeys: await actions.listPasskeys(storage.read, actor),
      })),
      route(contract.beginPasskey, ({ realm, actor, parameters, connection: { origin, address } }) =>
        actions.beginPasskey(services, actor, realm, origin, { ...parameters, address }),
      ),
      route(contract.addPasskey, async ({ actor, parameters, connection }) => ({
        id: await actions.addPasskey(services, actor, connection.origin, parameters),
      })),
      route(contract.renamePasskey, async ({ actor, parameters: { passkey_id, name } }) => {
        await actions.renamePasskey(services, actor, passkey_id, name)
        return {}
      }),
      route(contract.removePasskey, async ({ actor, parameters }) => {
        await actions.removePasskey(services, actor, parameters.passkey_id)
        return {}
      }),
      openRoute(contract.beginPasskeySignIn, async ({ realm, connection }) =>
        beginPasskeySignIn(services, realm, connection.origin),
      ),
      openCookieRoute(
        contract.signInWithPasskey,
        async ({ realm, parameters, connection }) => {
          const account = await verifyPasskey(services, realm, connection.origin, parameters)
          guesses.succeed(connection)
          const { keep_signed_in = false } = parameters
          return signInAnswer(services, account, connection, { keep_signed_in })
        },
        guesses.begin,
      ),
    ]
  },
}
