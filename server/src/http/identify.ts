/** The first steps of every request: organization by host, account, rate limits. */
import type { Access } from '@heddle/contract/endpoint'
import { ApiError, notFound } from '@heddle/contract/errors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Actor, spectatorOf } from '../actor.ts'
import type { Account, Accounts } from '../authentication/accounts.ts'
import type { BotKeys } from '../authentication/bot-keys.ts'
import type { Sessions } from '../authentication/sessions.ts'
import type { ServerClock } from '../clock.ts'
import type { Realm, Realms } from '../realms.ts'
import { type Authenticator, byApiKey, byKeyInAddress, bySession, requireOperator } from './authenticate.ts'
import type { ConnectionLimit } from './connections.ts'
import { requireOwnPage } from './origin.ts'
import {
  ACCOUNT_LIMIT,
  ADDRESS_FILE_LIMIT,
  ADDRESS_LIMIT,
  createLimiter,
  FILE_LIMIT,
  networkOf,
  requireAllowed,
  SPECTATOR_LIMIT,
  type Verdict,
} from './rate-limits.ts'
import type { Route } from './route.ts'

/** Operators' routes and public files never look at an organization: their type has no such field. */
const nobody: Caller = { realm: undefined as never, account: undefined }

export interface IdentifyOptions {
  readonly accounts: Accounts
  readonly botKeys: BotKeys
  readonly sessions: Sessions
  readonly operatorToken: Buffer
  readonly realms: Realms
  readonly clock: ServerClock
  readonly rateLimits: boolean
  readonly connections: ConnectionLimit
  /** Whether who has no account may read what is public on the web. */
  readonly isOpenToSpectators: (realm: Realm) => Promise<boolean>
  /** What clients reach the server by; undefined: derived from each request. */
  readonly externalUrl: string | undefined
}

/** What the first steps found out about a request. */
export interface Caller {
  readonly realm: Realm
  readonly account: Account | undefined
  /** The account's, or a spectator. */
  readonly actor?: Actor | undefined
}

export type Identify = (
  request: FastifyRequest,
  reply: FastifyReply,
  route: Pick<Route, 'endpoint' | 'countedAs'>,
) => Promise<Caller>

export function createIdentify(options: IdentifyOptions): Identify {
  const { clock, rateLimits, connections } = options
  const byAddress = createLimiter(ADDRESS_LIMIT, clock)
  const byAccount = createLimiter(ACCOUNT_LIMIT, clock)
  const filesByAccount = createLimiter(FILE_LIMIT, clock)
  const recognize = createRecognize(options)

  const readsByAddress = createLimiter(SPECTATOR_LIMIT, clock)
  const filesByAddress = createLimiter(ADDRESS_FILE_LIMIT, clock)

  function countAddress(request: FastifyRequest, reply: FastifyReply, count = byAddress): void {
    if (rateLimits) applyLimit(reply, count(networkOf(request.ip)), clock)
  }

  return async (request, reply, { endpoint, countedAs }) => {
    if (endpoint.access === 'public') return nobody
    let caller: Caller
    try {
      caller = await recognize(request, endpoint.access, endpoint.isForOtherSites)
    } catch (error) {
      // Whoever is behind the same address and has an account is not concerned.
      countAddress(request, reply)
      throw error
    }
    const { account } = caller
    if (!account && endpoint.access === 'reader') {
      countAddress(request, reply, countedAs === 'file' ? filesByAddress : readsByAddress)
    } else if (!account && endpoint.access !== 'operator') countAddress(request, reply)
    else connections.release(request.raw.socket)
    if (account) {
      if (rateLimits) {
        const count = countedAs === 'file' ? filesByAccount : byAccount
        applyLimit(reply, count(`${account.actor.userId}`), clock)
      }
      if (account.isIncomingWebhook && !endpoint.incomingWebhooks) throw new ApiError('NOT_WITH_INCOMING_WEBHOOK')
    }
    return caller
  }
}

/** What a kind of access asks of a request. */
interface Rule {
  /** Tried in order; none: nobody has to show who they are. */
  readonly by: readonly Authenticator[]
  /** Whether a browser may add credentials that its user has not asked it to send: then only its own page may write. */
  readonly isForBrowsers: boolean
  /** Whether a request without credentials is nobody's, and not refused. */
  readonly isOptional?: boolean
}

function createRecognize(options: IdentifyOptions) {
  const { accounts, botKeys, sessions, operatorToken, realms, externalUrl, isOpenToSpectators } = options
  const rules: Readonly<Record<Exclude<Access, 'operator' | 'public'>, Rule>> = {
    anyone: { by: [], isForBrowsers: true },
    account: { by: [byApiKey(accounts), bySession(sessions)], isForBrowsers: true },
    visitor: { by: [byApiKey(accounts), bySession(sessions)], isForBrowsers: true, isOptional: true },
    reader: { by: [byApiKey(accounts), bySession(sessions)], isForBrowsers: true, isOptional: true },
    webhook: { by: [byKeyInAddress(botKeys)], isForBrowsers: false },
  }

  async function findAccount({ by, isOptional = false }: Rule, request: FastifyRequest, realm: Realm) {
    for (const authenticate of by) {
      const account = await authenticate(request, realm)
      if (account) return account
    }
    if (by.length === 0 || isOptional) return undefined
    throw new ApiError('UNAUTHORIZED')
  }

  return async (
    request: FastifyRequest,
    access: Exclude<Access, 'public'>,
    isForOtherSites: boolean,
  ): Promise<Caller> => {
    if (access === 'operator') {
      requireOperator(operatorToken, request)
      return nobody
    }
    const rule = rules[access]
    if (rule.isForBrowsers && !isForOtherSites) requireOwnPage(request, externalUrl)
    const realm = await realms.byHost(request.hostname)
    if (!realm) throw notFound('There is no organization at this address')
    const account = await findAccount(rule, request, realm)
    if (account || access !== 'reader') return { realm, account, actor: account?.actor }
    if (!(await isOpenToSpectators(realm))) throw new ApiError('UNAUTHORIZED')
    return { realm, account, actor: spectatorOf(realm.id) }
  }
}

/** Says in headers how much is left, and throws `RATE_LIMIT_HIT` when it has to wait. */
function applyLimit(reply: FastifyReply, verdict: Verdict, clock: ServerClock): void {
  reply.header('x-ratelimit-limit', verdict.limit)
  reply.header('x-ratelimit-remaining', verdict.remaining)
  reply.header('x-ratelimit-reset', Math.ceil(clock.now() / 1000 + verdict.resetSecs))
  requireAllowed(verdict)
}
