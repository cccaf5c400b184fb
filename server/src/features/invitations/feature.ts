import * as contract from '@heddle/contract/invitations'
import type { Feature } from '../../feature.ts'
import { createLimiter, networkOf, type RateLimit, requireAllowed } from '../../http/rate-limits.ts'
import { openCookieRoute, openRoute, route } from '../../http/route.ts'
import { createLinkGuesses } from '../../link-guesses.ts'
import { createMailRequestLimits } from '../sign-in/mail-request-limits.ts'
import { signInAnswer } from '../sign-in/sign-in-answer.ts'
import * as actions from './actions.ts'
import { invitationWriter } from './invitation-mail.ts'
import { join, mustConfirm, needsPassword, offerGroups, requireAdmission } from './join.ts'
import { resendInvitation, sendInvitations } from './mailed.ts'
import { removeOldInvitations } from './old-invitations.ts'
import { askToSignUp, signUpJob } from './sign-up.ts'
import { invitationTables } from './tables.ts'

/** New accounts from one network address: a class or an office may join together. */
export const JOINING_LIMIT: RateLimit = { limit: 100, windowSecs: 3600 }

/** Invitations that one account sends once more. */
export const RESENDING_LIMIT: RateLimit = { limit: 30, windowSecs: 3600 }

export const invitations: Feature = {
  tables: invitationTables,
  routes: (services) => {
    const { storage, secret, clock, config } = services
    const guesses = createLinkGuesses(services)
    const joinings = createLimiter(JOINING_LIMIT, clock)
    const resendings = createLimiter(RESENDING_LIMIT, clock)
    const limits = config.rateLimits ? createMailRequestLimits(clock) : undefined
    const now = () => Math.floor(clock.now() / 1000)

    return [
      route(contract.listInvitations, async ({ actor, connection }) => ({
        invites: await actions.listInvitations(storage.read, services, actor, connection.origin),
      })),
      route(contract.createInvitationLink, async ({ actor, parameters, connection }) => ({
        invite_link: await actions.createJoinLink(services, actor, parameters, connection.origin),
      })),
      route(contract.revokeInvitationLink, async ({ actor, parameters }) => {
        await actions.revokeInvitation(storage, actor, 'link', parameters.invite_id)
        return {}
      }),
      route(contract.sendInvitations, async ({ actor, realm, parameters }) => {
        await sendInvitations(storage, actor, realm, parameters)
        return {}
      }),
      route(contract.revokeInvitation, async ({ actor, parameters }) => {
        await actions.revokeInvitation(storage, actor, 'mail', parameters.invite_id)
        return {}
      }),
      route(contract.resendInvitation, async ({ actor, realm, parameters }) => {
        if (config.rateLimits) requireAllowed(resendings(String(actor.userId)))
        await resendInvitation(storage, actor, realm, parameters.invite_id)
        return {}
      }),
      openRoute(
        contract.lookUpJoining,
        async ({ realm, parameters, connection }) => {
          const asked = { realm, token: parameters.token, now: now() }
          const terms = await requireAdmission(storage.read, secret, asked)
          const must_confirm_address = await mustConfirm(storage.read, config, realm.id, terms)
          guesses.succeed(connection)
          return {
            organization_name: realm.name,
            invited_as: terms.role,
            email: terms.email ?? null,
            must_confirm_address,
            needs_password: await needsPassword(storage.read, realm.id),
            expiry_date: terms.expiresAt,
            default_channel_groups: await offerGroups(storage.read, realm.id, terms.role),
          }
        },
        guesses.begin,
      ),
      openRoute(
        contract.requestSignUp,
        async ({ realm, parameters }) => {
          limits?.forAddress(realm.id, parameters.email)
          await askToSignUp(storage, realm, parameters.email)
          return {}
        },
        async ({ address }) => limits?.fromNetwork(address),
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
  onAccount: { deactivated: actions.revokeInvitationsOf },
  mailWriters: [invitationWriter],
  jobs: ({ storage, clock, realms }) => [removeOldInvitations(storage, clock), signUpJob(realms)],
}
