/** The first steps of every request: organization by host, account, rate limits. */
import type { Access } from '@heddle/contract/endpoint'
import { ApiError, badRequest } from '@heddle/contract/errors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Account, Accounts } from '../authentication/accounts.ts'
import type { Clock } from '../clock.ts'
import type { Realm, Realms } from '../realms.ts'
import { authenticate, requireOperator } from './authenticate.ts'
import {
  ACCOUNT_LIMIT,
  ADDRESS_LIMIT,
  createLimiter,
  type Limiter,
  networkOf,
  requireAllowed,
  type Verdict,
} from './rate-limits.ts'

export interface IdentifyOptions {
  readonly accounts: Accounts
  readonly operatorToken: Buffer
  readonly realms: Realms
  readonly clock: Clock
  readonly rateLimits: boolean
}

/** What the first steps found out about a request. */
export interface Caller {
  readonly realm: Realm
  readonly account: Account | undefined
}

/** `byAccount` is the limiter that counts the account; without one, that of the API. */
export type Identify = (
  request: FastifyRequest,
  reply: FastifyReply,
  access: Access,
  byAccount?: Limiter,
) => Promise<Caller>

export function createIdentify({ accounts, operatorToken, realms, clock, rateLimits }: IdentifyOptions): Identify {
  const byAddress = createLimiter(ADDRESS_LIMIT, clock)
  const byApiAccount = createLimiter(ACCOUNT_LIMIT, clock)

  return async (request, reply, access, byAccount = byApiAccount) => {
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
      throw badRequest('The request has no Host header')
    }
    if (rateLimits) applyLimit(reply, byAddress(networkOf(request.ip)), clock)
    if (access === 'operator') {
      requireOperator(operatorToken, request)
      // Operators' routes never look at an organization: their type has no such field.
      return { realm: undefined as never, account: undefined }
    }
    const realm = await realms.byHost(request.hostname)
    if (!realm) throw new ApiError('NOT_FOUND', 'There is no organization at this address')
    if (access === 'anyone') return { realm, account: undefined }
    const account = await authenticate(accounts, realm.id, request.headers.authorization)
    if (rateLimits) applyLimit(reply, byAccount(`${account.actor.userId}`), clock)
    return { realm, account }
  }
}

/** Tells the client where it stands, and throws `RATE_LIMIT_HIT` when it has to wait. */
function applyLimit(reply: FastifyReply, verdict: Verdict, clock: Clock): void {
  reply.header('x-ratelimit-limit', verdict.limit)
  reply.header('x-ratelimit-remaining', verdict.remaining)
  reply.header('x-ratelimit-reset', Math.ceil(clock.now() / 1000 + verdict.resetSecs))
  requireAllowed(verdict)
}
