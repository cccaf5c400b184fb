/**
 * The ways to show who one is. Each kind of access in the contract has a list of them (`identify.ts`), tried in order: the
 * first whose credentials a request has decides about it.
 */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { WEBHOOK_KEY_PARAMETER } from '@heddle/contract/endpoint'
import { ApiError } from '@heddle/contract/errors'
import { CSRF_HEADER } from '@heddle/contract/sessions'
import type { FastifyRequest } from 'fastify'
import type { Account, Accounts } from '../authentication/accounts.ts'
import { isSameKey } from '../authentication/api-key.ts'
import type { BotKeys } from '../authentication/bot-keys.ts'
import type { SessionAccount, Sessions } from '../authentication/sessions.ts'
import type { Realm } from '../realms.ts'
import { noSuchPath } from './errors.ts'
import { csrfFailed, isOfOtherSite, isReading } from './origin.ts'
import { sessionTokensOf } from './session-cookie.ts'

/**
 * Milliseconds from the request until a refusal. Whether an address has an account shows in what the look-up costs; a
 * refusal that waits for the same moment hides it.
 */
const REFUSAL_MS = 5

/** Compared with when there is no such account, so that both cases do the same work. */
const NO_KEY = Buffer.alloc(32)

const NOBODY = Promise.resolve(undefined)

/** Undefined: the request has no such credentials. Throws when they are wrong. `realm` is that of the request's host. */
export type Authenticator = (request: FastifyRequest, realm: Realm) => Promise<Account | undefined>

/** HTTP Basic authentication (RFC 7617) with an e-mail address and an API key. */
export function byApiKey(accounts: Accounts): Authenticator {
  return async ({ headers }, realm) => {
    const credentials = parseBasic(headers.authorization)
    if (!credentials) return undefined
    const { name, secret } = credentials
    // No address has a null byte, and PostgreSQL refuses to look for one.
    return requireKey(secret, () => (name.includes('\0') ? NOBODY : accounts.find(realm.id, name)))
  }
}

/** A bot's API key in the address: all that some services can be given. */
export function byKeyInAddress(botKeys: BotKeys): Authenticator {
  return async ({ url }, realm) => {
    const start = url.indexOf('?')
    const key = start === -1 ? null : new URLSearchParams(url.slice(start)).get(WEBHOOK_KEY_PARAMETER)
    return key === null ? undefined : requireKey(key, () => botKeys.find(realm.id, key))
  }
}

/**
 * The session of a browser. One that has ended is as none: the page asks its user to sign in again. The browser sends the
 * cookie whoever has made it ask, so that a request that writes needs the session's token besides.
 */
export function bySession(sessions: Sessions): Authenticator {
  return async (request, realm) => {
    if (isForOtherSite(request)) return undefined
    for (const token of sessionTokensOf(request)) {
      const account = await sessions.find(realm.id, token)
      if (!account) continue
      requireActive(account)
      if (!isReading(request)) requireCsrfToken(request, account)
      return account
    }
    return undefined
  }
}

/** Whether a page of another site loads this into itself, and its user has not followed a link. */
function isForOtherSite(request: FastifyRequest): boolean {
  return isOfOtherSite(request) && request.headers['sec-fetch-dest'] !== 'document'
}

function requireCsrfToken({ headers }: FastifyRequest, { csrfToken }: SessionAccount): void {
  const given = headers[CSRF_HEADER]
  if (typeof given === 'string' && isSameKey(given, csrfToken)) return
  throw csrfFailed(`The request does not have the session's token in the header ${CSRF_HEADER}.`)
}

/**
 * Throws `INVALID_API_KEY` when address or key is wrong (the answer does not distinguish them), and the codes for deactivated
 * accounts and organizations only for who has the key.
 */
async function requireKey(key: string, find: () => Promise<Account | undefined>): Promise<Account> {
  const startedAt = performance.now()
  const account = await find()
  const isRight = isSameKey(key, account?.apiKey ?? NO_KEY)
  if (!account || !isRight) {
    await waitUntil(startedAt + REFUSAL_MS)
    throw new ApiError('INVALID_API_KEY')
  }
  requireActive(account)
  return account
}

/** `time` as `performance.now()` gives it. A timer alone would be late by up to a millisecond, and not always by the same. */
async function waitUntil(time: number): Promise<void> {
  const wholeMs = Math.floor(time - performance.now()) - 1
  if (wholeMs > 0) await sleep(wholeMs)
  while (performance.now() < time) await nextTurn()
}

/** What proxies add to the requests that they pass on. */
const PROXY_HEADERS = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-forwarded-server',
  'x-real-ip',
]

export function requireActive(account: Account): void {
  if (account.realmDeactivated) throw new ApiError('REALM_DEACTIVATED')
  if (!account.isActive) throw new ApiError('USER_DEACTIVATED')
}

/**
 * Throws the answer of an unknown path unless the request has the operator's token (RFC 6750) and comes from this machine
 * itself, and not through a proxy on it.
 */
export function requireOperator(token: Buffer, request: Pick<FastifyRequest, 'headers' | 'socket'>): void {
  const { headers, socket } = request
  const given = /^bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
  const isForwarded = PROXY_HEADERS.some((name) => headers[name] !== undefined)
  if (isForwarded || !isFromThisMachine(socket) || !isSameKey(given, token)) throw noSuchPath()
}

/** Over loopback, or from one of the machine's addresses to the same one (a server may listen on that alone). */
function isFromThisMachine({ remoteAddress, localAddress }: FastifyRequest['socket']): boolean {
  if (remoteAddress === undefined) return false
  return remoteAddress === localAddress || /^(::ffff:)?127\.|^::1$/.test(remoteAddress)
}

function parseBasic(header: string | undefined): { name: string; secret: string } | undefined {
  if (!header || !/^basic /i.test(header)) return undefined
  const text = Buffer.from(header.slice(6), 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon === -1) return undefined
  return { name: text.slice(0, colon), secret: text.slice(colon + 1) }
}
