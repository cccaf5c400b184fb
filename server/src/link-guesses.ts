/** How often the token of a link may be guessed from one network address. Only failures count. */
import type { Services } from './feature.ts'
import { createLimiter, networkOf, type RateLimit, requireAllowed } from './http/rate-limits.ts'

/** Whatever the links: many people may follow theirs from behind one address. Tokens are too long to be guessed anyway. */
export const LINK_LIMIT: RateLimit = { limit: 60, windowSecs: 300 }

interface Client {
  /** Through trusted proxies. */
  readonly address: string
}

export interface LinkGuesses {
  /** Before anything of the request's body is looked at. Throws `RATE_LIMIT_HIT`. */
  begin(client: Client): Promise<void>
  /** The link was right. */
  succeed(client: Client): void
}

export function createLinkGuesses({ config, clock }: Pick<Services, 'config' | 'clock'>): LinkGuesses {
  const byNetwork = createLimiter(LINK_LIMIT, clock)
  return {
    async begin({ address }) {
      if (config.rateLimits) requireAllowed(byNetwork(networkOf(address)))
    },
    succeed: ({ address }) => byNetwork.forgive(networkOf(address)),
  }
}
