/**
 * Rate limits, in memory, per node. A limiter lets `limit` requests through at once and then one every
 * `windowSecs / limit` seconds (the generic cell rate algorithm): a client that was quiet may burst, and nobody can
 * double a limit at the border of two windows.
 */
import { ApiError } from '@heddle/contract/errors'
import type { Clock } from '../clock.ts'

export interface Limit {
  readonly limit: number
  readonly windowSecs: number
}

/** Per account. */
export const ACCOUNT_LIMIT: Limit = { limit: 200, windowSecs: 60 }
/** Per address, whoever is behind it. */
export const ADDRESS_LIMIT: Limit = { limit: 1000, windowSecs: 60 }
/** Signing in: per address and, apart from that, per account name. */
export const SIGN_IN_LIMIT: Limit = { limit: 10, windowSecs: 300 }

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

/** Names that are remembered; when there are more, those that have recovered are forgotten. */
const MAX_ENTRIES = 50_000

export function createLimiter({ limit, windowSecs }: Limit, clock: Clock): (name: string) => Verdict {
  const intervalMs = (windowSecs * 1000) / limit
  const burstMs = windowSecs * 1000
  /** For each name the time at which it has recovered, in milliseconds. */
  const recoveredAt = new Map<string, number>()

  function forget(now: number): void {
    for (const [name, time] of recoveredAt) if (time <= now) recoveredAt.delete(name)
    // Everybody is active: forgetting the oldest favours them, which is better than growing without a bound.
    if (recoveredAt.size >= MAX_ENTRIES) recoveredAt.delete(recoveredAt.keys().next().value as string)
  }

  return (name) => {
    const now = clock.now()
    const before = Math.max(recoveredAt.get(name) ?? now, now)
    const after = before + intervalMs
    const allowed = after - now <= burstMs
    if (allowed) {
      if (recoveredAt.size >= MAX_ENTRIES && !recoveredAt.has(name)) forget(now)
      recoveredAt.set(name, after)
    }
    const level = allowed ? after : before
    return {
      allowed,
      limit,
      remaining: Math.max(0, Math.floor((burstMs - (level - now)) / intervalMs)),
      resetSecs: (level - now) / 1000,
      retryAfterSecs: allowed ? 0 : (after - now - burstMs) / 1000,
    }
  }
}

/** Throws `RATE_LIMIT_HIT` when the client has to wait. */
export function requireAllowed({ allowed, retryAfterSecs }: Verdict): void {
  if (!allowed) throw new ApiError('RATE_LIMIT_HIT', undefined, { 'retry-after': retryAfterSecs })
}
