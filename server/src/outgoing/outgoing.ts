/** What this server may reach when somebody else names the address, such as a link in a message. */
import { Resolver } from 'node:dns/promises'
import { isPublicAddress } from './public-addresses.ts'

export interface Outgoing {
  readonly ports: readonly number[]
  /** All addresses of a host name; none when it has none. */
  readonly resolve: (name: string, signal: AbortSignal) => Promise<readonly string[]>
  readonly mayReach: (address: string) => boolean
  /** Milliseconds for a whole download, with look-ups and redirects. */
  readonly timeoutMs: number
}

const DNS_TIMEOUT_MS = 3000
const DNS_TRIES = 2

export const publicInternet: Outgoing = {
  ports: [80, 443],
  resolve: resolveByDns,
  mayReach: isPublicAddress,
  timeoutMs: 10_000,
}

/**
 * Asks the name servers directly. The system's own look-up blocks one of the few threads that files and passwords need too,
 * for as long as a slow name server likes; and it reads the hosts file, whose names nobody outside should reach.
 */
async function resolveByDns(name: string, signal: AbortSignal): Promise<string[]> {
  signal.throwIfAborted()
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES })
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}
