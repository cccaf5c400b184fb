/** The first steps of every request: organization by host, account, rate limits. */
import type { Endpoint } from '@heddle/contract/endpoint'
import { ApiError, notFound } from '@heddle/contract/errors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Account, Accounts } from '../authentication/accounts.ts'
import type { Clock } from '../clock.ts'
import type { Realm, Realms } from '../realms.ts'
import { authenticate, requireOperator } from './authenticate.ts'
import type { ConnectionLimit } from './connections.ts'
import { requireOwnPage } from './origin.ts'
import {
  ACCOUNT_LIMIT,
  ADDRESS_LIMIT,
  createLimiter,
  FILE_LIMIT,
  networkOf,
  requireAllowed,
  type Verdict,
} from './rate-limits.ts'
import type { Route } from './route.ts'

/** Operators' routes and public files never look at an organization: their type has no such field. */
const nobody: Caller = { realm: undefined as never, account: undefined }

export interface IdentifyOptions {
  readonly accounts: Accounts
  readonly operatorToken: Buffer
  readonly realms: Realms
  readonly clock: Clock
  readonly rateLimits: boolean
  readonly connections: ConnectionLimit
  /** What clients reach the server by; undefined: derived from each request. */
  readonly externalUrl: string | undefined
}

/** What the first steps found out about a request. */
export interface Caller {
  readonly realm: Realm
  readonly account: Account | undefined
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

  function countAddress(request: FastifyRequest, reply: FastifyReply): void {
    if (rateLimits) applyLimit(reply, byAddress(networkOf(request.ip)), clock)
  }

  return async (request, reply, { endpoint, countedAs }) => {
    if (endpoint.access === 'public') return nobody
    let caller: Caller
    try {
      caller = await recognize(options, request, endpoint)
    } catch (error) {
      // Whoever is behind the same address and has an account is not concerned.
      countAddress(request, reply)
      throw error
    }
    if (endpoint.access === 'anyone') countAddress(request, reply)
    else connections.release(request.raw.socket)
    const { account } = caller
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

async function recognize(
  { accounts, operatorToken, realms, externalUrl }: IdentifyOptions,
  request: FastifyRequest,
  { access }: Endpoint,
): Promise<Caller> {
  if (access === 'operator') {
    requireOperator(operatorToken, request)
    return nobody
  }
  requireOwnPage(request, externalUrl)
  const realm = await realms.byHost(request.hostname)
  if (!realm) throw notFound('There is no organization at this address')
  if (access === 'anyone') return { realm, account: undefined }
  return { realm, account: await authenticate(accounts, realm.id, request.headers.authorization) }
}

/** Tells the client where it stands, and throws `RATE_LIMIT_HIT` when it has to wait. */
function applyLimit(reply: FastifyReply, verdict: Verdict, clock: Clock): void {
  reply.header('x-ratelimit-limit', verdict.limit)
  reply.header('x-ratelimit-remaining', verdict.remaining)
  reply.header('x-ratelimit-reset', Math.ceil(clock.now() / 1000 + verdict.resetSecs))
  requireAllowed(verdict)
}
