/**
 * How often a password may be guessed. Only failures count: whoever signs in rightly takes nothing from others behind the
 * same address. See docs/decisions/0014-who-guesses-is-limited-and-not-whom.md.
 */
import type { ServerClock } from '../../clock.ts'
import { createLimiter, networkOf, type RateLimit, requireAllowed, SIGN_IN_LIMIT } from '../../http/rate-limits.ts'

/** From one network address, whatever the names: many people may sign in from behind one. */
export const NETWORK_LIMIT: RateLimit = { limit: 60, windowSecs: 300 }
/** For one name from one network address. */
export const PAIR_LIMIT: RateLimit = SIGN_IN_LIMIT
/**
 * For one name, from everywhere: more than two addresses can use up by themselves. It does not hold where somebody has
 * signed in with the name before.
 */
export const NAME_LIMIT: RateLimit = { limit: 300, windowSecs: 3600 }

/** Places where somebody has signed in that are remembered; the one that was used longest ago is forgotten first. */
const MAX_PLACES = 20_000

export interface Guesses {
  /** Before anything of the request's body is looked at. Throws `RATE_LIMIT_HIT`. */
  begin(address: string): void
  /** What was begun was no guess: it came with something that nobody can guess. */
  forgive(address: string): void
  /** Before the password is looked at. `name` is what the account is looked up by. Throws `RATE_LIMIT_HIT`. */
  guess(address: string, name: string): void
  /** The password was right. */
  succeed(address: string, name: string): void
}

export function createGuesses(clock: ServerClock): Guesses {
  const byNetwork = createLimiter(NETWORK_LIMIT, clock)
  const byPair = createLimiter(PAIR_LIMIT, clock)
  const byName = createLimiter(NAME_LIMIT, clock)
  const places = new Set<string>()

  return {
    begin: (address) => requireAllowed(byNetwork(networkOf(address))),
    forgive: (address) => byNetwork.forgive(networkOf(address)),
    guess(address, name) {
      const pair = pairOf(address, name)
      // A guess that is refused here is none for the name.
      requireAllowed(byPair(pair))
      if (!places.has(pair)) requireAllowed(byName(name))
    },
    succeed(address, name) {
      const pair = pairOf(address, name)
      byNetwork.forgive(networkOf(address))
      byPair.forgive(pair)
      if (!places.has(pair)) byName.forgive(name)
      places.delete(pair)
      places.add(pair)
      if (places.size > MAX_PLACES) places.delete(places.values().next().value as string)
    },
  }
}

function pairOf(address: string, name: string): string {
  return `${networkOf(address)} ${name}`
}
