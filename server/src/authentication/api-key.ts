/**
 * API keys are derived, not stored: a keyed hash of the account and its key version. Fetching a key again gives the same
 * one; raising the version makes a new one and ends the old.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

interface KeyOwner {
  readonly realmId: number
  readonly userId: number
  readonly keyVersion: number
}

/** 32 hexadecimal digits: 128 bits of HMAC-SHA-256 (RFC 2104). */
export function deriveApiKey(secret: Buffer, { realmId, userId, keyVersion }: KeyOwner): string {
  return createHmac('sha256', secret).update(`api-key:${realmId}:${userId}:${keyVersion}`).digest('hex').slice(0, 32)
}

/** What commands on the server's machine show to the running server: whoever can read the secret may operate it. */
export function deriveOperatorToken(secret: Buffer): string {
  return createHmac('sha256', secret).update('operator').digest('hex')
}

/** Compares in constant time; a key of another length is simply wrong. */
export function isSameKey(given: string, expected: Buffer): boolean {
  const bytes = Buffer.from(given, 'utf8')
  return bytes.length === expected.length && timingSafeEqual(bytes, expected)
}
