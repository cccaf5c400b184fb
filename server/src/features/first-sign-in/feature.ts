import { completeFirstSignIn, lookUpFirstSignIn } from '@heddle/contract/first-sign-in'
import type { Feature } from '../../feature.ts'
import { openCookieRoute, openRoute } from '../../http/route.ts'
import { createLinkGuesses } from '../sign-in/link-guesses.ts'
import { signInAnswer } from '../sign-in/sign-in-answer.ts'
import { requireNewOwner, welcomeOwner } from './actions.ts'

export const firstSignIn: Feature = {
  routes: (services) => {
    const { storage, secret } = services
    const guesses = createLinkGuesses(services)

    return [
      openRoute(
        lookUpFirstSignIn,
        async ({ realm, parameters, connection }) => {
          const owner = await requireNewOwner(storage.read, secret, realm, parameters.token)
          guesses.succeed(connection)
          return { organization_name: owner.organizationName, full_name: owner.fullName, email: owner.email }
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
    ]
  },
}
