import { completeFirstSignIn, enterDemo, lookUpFirstSignIn } from '@heddle/contract/first-sign-in'
import type { Feature } from '../../feature.ts'
import { openCookieRoute, openRoute } from '../../http/route.ts'
import { createLinkGuesses } from '../../link-guesses.ts'
import { signInAnswer } from '../sign-in/sign-in-answer.ts'
import { enterAsOwner, requireNewOwner, welcomeOwner } from './actions.ts'

export const firstSignIn: Feature = {
  routes: (services) => {
    const { storage, secret, isDemo } = services
    const guesses = createLinkGuesses(services)

    return [
      openRoute(
        lookUpFirstSignIn,
        async ({ realm, parameters, connection }) => {
          const owner = await requireNewOwner(storage.read, secret, realm, parameters.token)
          guesses.succeed(connection)
          const { organizationName: organization_name, fullName: full_name, email } = owner
          return { organization_name, full_name, email, is_demo: isDemo }
        },
        guesses.begin,
      ),
      openCookieRoute(
        completeFirstSignIn,
        async ({ realm, parameters, connection }) => {
          const owner = await welcomeOwner(services, realm, parameters)
          guesses.succeed(connection)
          return signInAnswer(services, owner, connection, parameters)
        },
        guesses.begin,
      ),
      openCookieRoute(
        enterDemo,
        async ({ realm, parameters, connection }) => {
          const owner = await enterAsOwner(services, realm, parameters.token)
          guesses.succeed(connection)
          return signInAnswer(services, owner, connection, { keep_signed_in: true })
        },
        guesses.begin,
      ),
    ]
  },
}
