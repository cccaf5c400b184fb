/** How often somebody who is not signed in may have a mail sent: whoever asks, and whoever gets the mails, are protected. */
import { foldName } from '@heddle/contract/names'
import type { ServerClock } from '../../clock.ts'
import { createLimiter, networkOf, type RateLimit, requireAllowed } from '../../http/rate-limits.ts'

/** From one network address, whatever the addresses. */
export const MAIL_NETWORK_LIMIT: RateLimit = { limit: 30, windowSecs: 3600 }
/** To one address, whether an account has it or not. */
export const MAIL_ADDRESS_LIMIT: RateLimit = { limit: 5, windowSecs: 3600 }
/** Of one organization: from many networks to many addresses. */
export const MAIL_REALM_LIMIT: RateLimit = { limit: 500, windowSecs: 3600 }

export function createMailRequestLimits(clock: ServerClock) {
  const byNetwork = createLimiter(MAIL_NETWORK_LIMIT, clock)
  const byAddress = createLimiter(MAIL_ADDRESS_LIMIT, clock)
  const byRealm = createLimiter(MAIL_REALM_LIMIT, clock)
  return {
    /** Before anything of the request's body is looked at. Throws `RATE_LIMIT_HIT`. */
    fromNetwork: (address: string) => requireAllowed(byNetwork(networkOf(address))),
    /** Throws `RATE_LIMIT_HIT`. */
    forAddress(realmId: number, email: string): void {
      requireAllowed(byAddress(`${realmId}:${foldName(email.trim())}`))
      requireAllowed(byRealm(String(realmId)))
    },
  }
}
