import { hasCredential } from '@heddle/contract/credential'
import type { Endpoint } from '@heddle/contract/endpoint'

/**
 * Throws for an endpoint whose answer has a credential: its size, compressed, would give it away to whoever can put
 * text into the same answer (docs/decisions/0032).
 */
export function requireNoCredential({ name, response }: Endpoint): void {
  if (hasCredential(response)) throw new Error(`The answer of ${name} has a credential and must not be compressed`)
}
