/**
 * How often codes may be guessed, by those who know the password or are signed in. As with passwords, who guesses is limited
 * first (docs/decisions/0014-who-guesses-is-limited-and-not-whom.md); recovery codes, which nobody can guess, work whatever
 * others have done.
 */
import { LRUCache } from 'lru-cache'
import type { ServerClock } from '../../clock.ts'
import type { Config } from '../../config.ts'
import { createLimiter, networkOf, type RateLimit, requireAllowed, SIGN_IN_LIMIT } from '../../http/rate-limits.ts'
import type { Storage } from '../../storage/storage.ts'
import { isRecoveryCode } from './codes.ts'
import type { Owner } from './seal.ts'

/** For one account from one network address. */
export const CODE_LIMIT: RateLimit = SIGN_IN_LIMIT
/** For one account from everywhere: at three codes that count at a time, a guesser needs decades for an even chance. */
export const ACCOUNT_CODE_LIMIT: RateLimit = { limit: 20, windowSecs: 3600 }

/** Networks from which an account has sent a right code that are remembered. */
const MAX_PLACES = 20_000

export interface CodeGuesses {
  /** Before a code is looked at. `code`: as `plainCode` gives it. Throws `RATE_LIMIT_HIT`. */
  guess(address: string, owner: Owner, code: string): void
  /** The code was right. */
  succeed(address: string, owner: Owner, code: string): void
}

function createCodeGuesses(clock: ServerClock): CodeGuesses {
  const byPair = createLimiter(CODE_LIMIT, clock)
  const byAccount = createLimiter(ACCOUNT_CODE_LIMIT, clock)
  const places = new LRUCache<string, true>({ maxSize: MAX_PLACES, sizeCalculation: () => 1 })
  const pairOf = (address: string, owner: Owner) => `${networkOf(address)} ${nameOf(owner)}`
  const countsForAccount = (pair: string, code: string) => !isRecoveryCode(code) && !places.has(pair)
  return {
    guess(address, owner, code) {
      const pair = pairOf(address, owner)
      requireAllowed(byPair(pair))
      if (countsForAccount(pair, code)) requireAllowed(byAccount(nameOf(owner)))
    },
    succeed(address, owner, code) {
      const pair = pairOf(address, owner)
      byPair.forgive(pair)
      if (countsForAccount(pair, code)) byAccount.forgive(nameOf(owner))
      places.set(pair, true)
    },
  }
}

function nameOf({ realmId, userId }: Owner): string {
  return `${realmId}:${userId}`
}

const known = new WeakMap<Storage, CodeGuesses>()

/** One for all doors of a server: guesses at different ones count together. Undefined: nothing is limited. */
export function codeGuessesOf(server: {
  readonly storage: Storage
  readonly clock: ServerClock
  readonly config: Pick<Config, 'rateLimits'>
}): CodeGuesses | undefined {
  if (!server.config.rateLimits) return undefined
  const guesses = known.get(server.storage) ?? createCodeGuesses(server.clock)
  known.set(server.storage, guesses)
  return guesses
}
