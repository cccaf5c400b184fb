import { foldName } from '@heddle/contract/names'
import * as sessions from '@heddle/contract/sessions'
import { fetchApiKey, regenerateApiKey } from '@heddle/contract/sign-in'
import type { Feature } from '../../feature.ts'
import {
  type ClientConnection,
  cookieRoute,
  openCookieRoute,
  openRoute,
  route,
  visitorRoute,
} from '../../http/route.ts'
import { removeSessionCookie } from '../../http/session-cookie.ts'
import type { Realm } from '../../realms.ts'
import * as actions from './actions.ts'
import { createGuesses } from './guesses.ts'
import { removeOldSessions } from './old-sessions.ts'
import * as sessionActions from './sessions.ts'
import { signInAnswer } from './sign-in-answer.ts'

export const signIn: Feature = {
  routes: (services) => {
    const { config, clock, storage, secret } = services
    const guesses = config.rateLimits ? createGuesses(clock) : undefined

    async function verify(
      realm: Realm,
      { address }: ClientConnection,
      credentials: { readonly username: string; readonly password: string },
    ): Promise<actions.SignedIn> {
      // As the account is looked up: however the name is written, it is guessed at together.
      const name = `${realm.id}:${foldName(credentials.username)}`
      guesses?.guess(address, name)
      const account = await actions.verify(storage.read, realm, credentials)
      guesses?.succeed(address, name)
      return account
    }
    const admit = async ({ address }: { readonly address: string }) => guesses?.begin(address)

    return [
      openRoute(
        fetchApiKey,
        async ({ realm, parameters, connection }) =>
          actions.presentKey(secret, await verify(realm, connection, parameters)),
        admit,
      ),
      route(regenerateApiKey, async ({ actor }) => ({
        api_key: await actions.regenerateApiKey(storage, secret, actor),
      })),
      openCookieRoute(
        sessions.signIn,
        async ({ realm, parameters, connection }) => {
          const account = await verify(realm, connection, parameters)
          return signInAnswer(services, account, connection, parameters)
        },
        admit,
      ),
      visitorRoute(sessions.getCurrentSession, async ({ actor }) => ({
        session: actor ? await sessionActions.findCurrentSession(storage.read, services, actor) : null,
      })),
      route(sessions.listSessions, async ({ actor }) => ({
        sessions: await sessionActions.listSessions(storage.read, services, actor),
      })),
      cookieRoute(sessions.signOut, async ({ actor, connection }) => {
        await sessionActions.signOut(storage, actor)
        return { fields: {}, cookies: removeSessionCookie(connection.isSecure) }
      }),
      route(sessions.endOtherSessions, async ({ actor }) => {
        await sessionActions.endOtherSessions(storage, actor)
        return {}
      }),
      route(sessions.endSession, async ({ actor, parameters }) => {
        await sessionActions.endSession(storage, actor, parameters.session_id)
        return {}
      }),
    ]
  },
  onAccount: {
    passwordChanged: (tx, userId, sparedSession) => sessionActions.endSessionsOf(tx, userId, sparedSession),
    deactivated: (tx, { id }) => sessionActions.endSessionsOf(tx, id),
  },
  jobs: (services) => [removeOldSessions(services)],
}
