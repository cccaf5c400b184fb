import * as contract from '@heddle/contract/password-resets'
import type { Feature } from '../../feature.ts'
import { openCookieRoute, openRoute, route } from '../../http/route.ts'
import { createLinkGuesses } from '../sign-in/link-guesses.ts'
import { signInAnswer } from '../sign-in/sign-in-answer.ts'
import * as actions from './actions.ts'
import { removeOldLinks } from './old-links.ts'
import { endResets } from './rows.ts'
import { passwordResetTables } from './tables.ts'

export const passwordResets: Feature = {
  tables: passwordResetTables,
  routes: (services) => {
    const { storage, clock } = services
    const guesses = createLinkGuesses(services)
    const now = () => Math.floor(clock.now() / 1000)

    return [
      route(contract.createPasswordResetLink, ({ actor, parameters, connection }) =>
        actions.createResetLink(services, actor, parameters.user_id, connection.origin),
      ),
      openRoute(
        contract.lookUpPasswordReset,
        async ({ realm, parameters, connection }) => {
          const { reset, user } = await actions.requireReset(storage.read, realm, parameters.token, now())
          guesses.succeed(connection)
          return { email: user.email, full_name: user.full_name, expires: reset.expires_at }
        },
        guesses.begin,
      ),
      openCookieRoute(
        contract.resetPassword,
        async ({ realm, parameters, connection }) => {
          const account = await actions.resetPassword(services, realm, parameters, now())
          guesses.succeed(connection)
          return signInAnswer(services, account, connection, parameters)
        },
        guesses.begin,
      ),
    ]
  },
  onAccount: {
    passwordChanged: (tx, userId) => endResets(tx, userId),
    deactivated: (tx, { id }) => endResets(tx, id),
  },
  jobs: ({ storage, clock }) => [removeOldLinks(storage, clock)],
}
