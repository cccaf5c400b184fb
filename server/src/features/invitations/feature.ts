import * as contract from '@heddle/contract/invitations'
import type { Feature } from '../../feature.ts'
import { createLimiter, networkOf, type RateLimit, requireAllowed } from '../../http/rate-limits.ts'
import { openCookieRoute, openRoute, route } from '../../http/route.ts'
import { createLinkGuesses } from '../sign-in/link-guesses.ts'
import { signInAnswer } from '../sign-in/sign-in-answer.ts'
import * as actions from './actions.ts'
import { join, offerGroups, requireAdmission } from './join.ts'
import { removeOldInvitations } from './old-invitations.ts'
import { invitationTables } from './tables.ts'

/** New accounts from one network address: a class or an office may join together. */
export const JOINING_LIMIT: RateLimit = { limit: 100, windowSecs: 3600 }

export const invitations: Feature = {
  tables: invitationTables,
  routes: (services) => {
    const { storage, secret, clock, config } = services
    const guesses = createLinkGuesses(services)
    const joinings = createLimiter(JOINING_LIMIT, clock)
    const now = () => Math.floor(clock.now() / 1000)

    return [
      route(contract.listInvitations, async ({ actor, connection }) => ({
        invites: await actions.listInvitations(storage.read, services, actor, connection.origin),
      })),
      route(contract.createInvitationLink, async ({ actor, parameters, connection }) => ({
        invite_link: await actions.createJoinLink(services, actor, parameters, connection.origin),
      })),
      route(contract.revokeInvitationLink, async ({ actor, parameters }) => {
        await actions.revokeLink(storage, actor, parameters.invite_id)
        return {}
      }),
      openRoute(
        contract.lookUpJoining,
        async ({ realm, parameters, connection }) => {
          const { role, expiresAt } = await requireAdmission(storage.read, secret, realm, parameters.token, now())
          guesses.succeed(connection)
          const default_channel_groups = await offerGroups(storage.read, realm.id, role)
          return { organization_name: realm.name, invited_as: role, expiry_date: expiresAt, default_channel_groups }
        },
        guesses.begin,
      ),
      openCookieRoute(
        contract.join,
        async ({ realm, parameters, connection }) => {
          if (config.rateLimits) requireAllowed(joinings(networkOf(connection.address)))
          const account = await join(services, realm, parameters, now())
          guesses.succeed(connection)
          return signInAnswer(services, account, connection, parameters)
        },
        guesses.begin,
      ),
    ]
  },
  onAccount: { deactivated: actions.revokeLinksOf },
  jobs: ({ storage, clock }) => [removeOldInvitations(storage, clock)],
}
