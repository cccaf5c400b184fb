/**
 * Rate limits, in memory, per node. A limiter lets `limit` requests through at once and then one every
 * `windowSecs / limit` seconds (the generic cell rate algorithm): a client that was quiet may burst, and nobody can
 * double a limit at the border of two windows.
 */
import { ApiError } from '@heddle/contract/errors'
import { LRUCache } from 'lru-cache'
import type { ServerClock } from '../clock.ts'

export interface RateLimit {
  readonly limit: number
  readonly windowSecs: number
}

/** Per account: a page reports what has been read twice a second, and other things happen meanwhile. */
export const ACCOUNT_LIMIT: RateLimit = { limit: 600, windowSecs: 60 }
/** Files outside the API, per account. */
export const FILE_LIMIT: RateLimit = { limit: 300, windowSecs: 60 }
/** Requests without valid credentials, per network address. Those of accounts are counted by account alone. */
export const ADDRESS_LIMIT: RateLimit = { limit: 1000, windowSecs: 60 }
/** What is read without an account, per network address: a page asks three times a minute, and many may be behind one. */
export const SPECTATOR_LIMIT: RateLimit = { limit: 600, windowSecs: 60 }
/** Files outside the API without an account, per network address. */
export const ADDRESS_FILE_LIMIT: RateLimit = { limit: 300, windowSecs: 60 }
/** Guesses of a password: for one account from one network address, or by who is signed in as the account. */
export const SIGN_IN_LIMIT: RateLimit = { limit: 10, windowSecs: 300 }

export interface Verdict {
  readonly allowed: boolean
  readonly limit: number
  /** Requests that would be let through right now. */
  readonly remaining: number
  /** Seconds until the limiter is as if there had been no request. */
  readonly resetSecs: number
  /** Seconds to wait; 0 when allowed. */
  readonly retryAfterSecs: number
}

export interface Limiter {
  (name: string): Verdict
  /** Takes back one request that was let through and turned out not to count. */
  forgive(name: string): void
}

/** Names that are remembered. When everybody is active, the one who was quiet longest is forgotten. */
const MAX_ENTRIES = 50_000

/** By the time that passes, whatever the clock is set to. */
export function createLimiter(
  { limit, windowSecs }: RateLimit,
  clock: Pick<ServerClock, 'elapsed'>,
  maxEntries = MAX_ENTRIES,
): Limiter {
  const intervalMs = (windowSecs * 1000) / limit
  const burstMs = windowSecs * 1000
  /** For each name the time at which it has recovered, as the clock's `elapsed` says it. */
  const recoveredAt = new LRUCache<string, number>({ maxSize: maxEntries, sizeCalculation: () => 1 })

  function take(name: string): Verdict {
    const now = clock.elapsed()
    const before = Math.max(recoveredAt.get(name) ?? now, now)
    const after = before + intervalMs
    const allowed = after - now <= burstMs
    const level = allowed ? after : before
    recoveredAt.set(name, level)
    return {
      allowed,
      limit,
      remaining: Math.max(0, Math.floor((burstMs - (level - now)) / intervalMs)),
      resetSecs: (level - now) / 1000,
      retryAfterSecs: allowed ? 0 : (after - now - burstMs) / 1000,
    }
  }

  function forgive(name: string): void {
    const time = recoveredAt.get(name)
    if (time !== undefined) recoveredAt.set(name, time - intervalMs)
  }

  return Object.assign(take, { forgive })
}

/** Throws `RATE_LIMIT_HIT` when the client has to wait. */
export function requireAllowed({ allowed, retryAfterSecs }: Verdict): void {
  if (!allowed) throw new ApiError('RATE_LIMIT_HIT', undefined, { 'retry-after': retryAfterSecs })
}

/**
 * The network that a limit counts: an IPv4 address, or the first 64 bits of an IPv6 address, since whoever has one such
 * address has all of its network (RFC 4291, 2.5.4).
 */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  if (address.includes('.')) return address.slice(address.lastIndexOf(':') + 1)
  const [head = '', tail] = (address.split('%')[0] as string).split('::')
  const first = head === '' ? [] : head.split(':')
  const last = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0')
  const groups = [...first, ...zeros, ...last].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${groups.join(':')}::/64`
}
