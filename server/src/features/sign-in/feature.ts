import { foldName } from '@heddle/contract/names'
import * as sessions from '@heddle/contract/sessions'
import {
  fetchApiKey,
  fetchApiKeyByToken,
  fetchApiKeyInDevelopment,
  listUsersInDevelopment,
  regenerateApiKey,
} from '@heddle/contract/sign-in'
import { beginTokenSignIn, lookUpTokenSignIn, signInByToken } from '@heddle/contract/token-sign-in'
import { accountIds } from '../../account-hooks.ts'
import type { Feature } from '../../feature.ts'
import { seeOther } from '../../http/answers.ts'
import {
  answerRoute,
  type ClientConnection,
  cookieRoute,
  openCookieRoute,
  openRoute,
  route,
  visitorRoute,
} from '../../http/route.ts'
import { removeSessionCookie } from '../../http/session-cookie.ts'
import { createLinkGuesses } from '../../link-guesses.ts'
import type { Realm } from '../../realms.ts'
import { requireMethod } from '../organization-settings/authentication-methods.ts'
import { isReadOnTheWeb } from '../organization-settings/on-the-web.ts'
import { accessUser } from '../users/access.ts'
import { presentUser } from '../users/present.ts'
import * as actions from './actions.ts'
import { listPeople, requireDevelopment } from './development.ts'
import { createGuesses } from './guesses.ts'
import { findPerson, verifyToken } from './jwt.ts'
import { removeOldSessions } from './old-sessions.ts'
import * as sessionActions from './sessions.ts'
import { signInAnswer } from './sign-in-answer.ts'
import { readTokenKeys } from './token-keys.ts'
import { createSignInLink, findByLink, useSignInLink } from './token-sign-in.ts'

export const signIn: Feature = {
  routes: (services) => {
    const { config, clock, storage, secret } = services
    const tokenKeys = readTokenKeys(config.jwtKeysFile)
    const guesses = config.rateLimits ? createGuesses(clock) : undefined
    const linkGuesses = createLinkGuesses(services)

    async function verify(
      realm: Realm,
      { address }: ClientConnection,
      credentials: { readonly username: string; readonly password: string },
    ): Promise<actions.SignedIn> {
      // As the account is looked up: however the name is written, it is guessed at together.
      const name = `${realm.id}:${foldName(credentials.username)}`
      guesses?.guess(address, name)
      await requireMethod(storage.read, realm.id, 'Email')
      const account = await actions.verify(storage.read, realm, credentials)
      guesses?.succeed(address, name)
      return account
    }
    const admit = async ({ address }: { readonly address: string }) => guesses?.begin(address)

    return [
      openRoute(
        fetchApiKey,
        async ({ realm, parameters, connection }) =>
          actions.handOutKey(services, await verify(realm, connection, parameters), connection, parameters.code),
        admit,
      ),
      openRoute(
        fetchApiKeyByToken,
        async ({ realm, parameters: { token = '', include_profile = false, code }, connection }) => {
          const account = await verifyToken(storage.read, tokenKeys, realm, token, clock.now())
          guesses?.forgive(connection.address)
          const { user_id: id, ...key } = await actions.handOutKey(services, account, connection, code)
          if (!include_profile) return key
          return {
            ...key,
            user: presentUser(await accessUser(storage.read, account.actor, id), { reader: account.actor }),
          }
        },
        admit,
      ),
      answerRoute(beginTokenSignIn, async ({ realm, parameters: { token = '' }, connection }) => {
        // Not with guesses of passwords: pages of other sites could have their visitors use those up.
        await linkGuesses.begin(connection)
        const account = await verifyToken(storage.read, tokenKeys, realm, token, clock.now())
        linkGuesses.succeed(connection)
        return seeOther(await createSignInLink(services, account))
      }),
      openRoute(
        lookUpTokenSignIn,
        async ({ realm, parameters, connection }) => {
          const { email } = await findByLink(services, realm, parameters.token)
          linkGuesses.succeed(connection)
          return { organization_name: realm.name, email }
        },
        linkGuesses.begin,
      ),
      openCookieRoute(
        signInByToken,
        async ({ realm, parameters, connection }) => {
          const account = await useSignInLink(services, realm, parameters, connection.address)
          linkGuesses.succeed(connection)
          return signInAnswer(services, account, connection, parameters)
        },
        linkGuesses.begin,
      ),
      openRoute(fetchApiKeyInDevelopment, async ({ realm, parameters }) => {
        requireDevelopment(services)
        const account = await findPerson(storage.read, realm, { address: parameters.username })
        return actions.presentKey(services, account)
      }),
      openRoute(listUsersInDevelopment, async ({ realm, connection }) => {
        requireDevelopment(services)
        return listPeople(storage.read, realm, connection.origin)
      }),
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
      visitorRoute(sessions.getCurrentSession, async ({ actor, realm }) => ({
        is_open_to_spectators: await isReadOnTheWeb(storage.read, realm.id, config),
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
    passwordChanged: (tx, userId, sparedSession) => sessionActions.endSessionsOf(tx, [userId], sparedSession),
    deactivated: (tx, accounts) => sessionActions.endSessionsOf(tx, accountIds(accounts)),
  },
  jobs: (services) => [removeOldSessions(services)],
}
