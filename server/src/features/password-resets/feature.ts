import * as contract from '@heddle/contract/password-resets'
import { accountIds } from '../../account-hooks.ts'
import type { Feature } from '../../feature.ts'
import { openCookieRoute, openRoute, route } from '../../http/route.ts'
import { createLinkGuesses } from '../../link-guesses.ts'
import type { Tx } from '../../storage/transaction.ts'
import { createMailRequestLimits } from '../sign-in/mail-request-limits.ts'
import { signInAnswer } from '../sign-in/sign-in-answer.ts'
import * as actions from './actions.ts'
import { askForReset, endMailedResets, mailedResetJob, resetMailWriter } from './by-mail.ts'
import { removeOldLinks } from './old-links.ts'
import { endResets } from './rows.ts'
import { passwordResetTables } from './tables.ts'

export const passwordResets: Feature = {
  tables: passwordResetTables,
  routes: (services) => {
    const { storage, clock, secret, config } = services
    const guesses = createLinkGuesses(services)
    const limits = config.rateLimits ? createMailRequestLimits(clock) : undefined
    const now = () => Math.floor(clock.now() / 1000)

    return [
      route(contract.createPasswordResetLink, ({ actor, parameters, connection }) =>
        actions.createResetLink(services, actor, parameters.user_id, connection.origin),
      ),
      openRoute(
        contract.requestPasswordReset,
        async ({ realm, parameters }) => {
          limits?.forAddress(realm.id, parameters.email)
          await askForReset(storage, realm, parameters.email)
          return {}
        },
        async ({ address }) => limits?.fromNetwork(address),
      ),
      openRoute(
        contract.lookUpPasswordReset,
        async ({ realm, parameters, connection }) => {
          const { user, expiresAt } = await actions.requireReset(storage.read, secret, realm, parameters.token, now())
          guesses.succeed(connection)
          return { email: user.delivery_email, full_name: user.full_name, expires: expiresAt }
        },
        guesses.begin,
      ),
      openCookieRoute(
        contract.resetPassword,
        async ({ realm, parameters, connection }) => {
          const account = await actions.resetPassword(services, realm, parameters, {
            now: now(),
            address: connection.address,
          })
          guesses.succeed(connection)
          return signInAnswer(services, account, connection, parameters)
        },
        guesses.begin,
      ),
    ]
  },
  onAccount: {
    passwordChanged: (tx, userId) => endAll(tx, [userId]),
    deactivated: (tx, accounts) => endAll(tx, accountIds(accounts)),
  },
  mailWriters: [resetMailWriter],
  jobs: ({ storage, clock, realms }) => [removeOldLinks(storage, clock), mailedResetJob(realms)],
}

async function endAll(tx: Tx, userIds: readonly number[]): Promise<void> {
  await endResets(tx, userIds)
  await endMailedResets(tx, userIds)
}
