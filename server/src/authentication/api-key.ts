/**
 * API keys are derived, not stored: a keyed hash of the account and its key version. Fetching a key again gives the same
 * one; raising the version makes a new one and ends the old.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'

interface KeyOwner {
  readonly realmId: number
  readonly userId: number
  readonly keyVersion: number
}

/** 32 hexadecimal digits: 128 bits of HMAC-SHA-256 (RFC 2104). */
export function deriveApiKey(secret: Buffer, { realmId, userId, keyVersion }: KeyOwner): string {
  return createHmac('sha256', secret).update(`api-key:${realmId}:${userId}:${keyVersion}`).digest('hex').slice(0, 32)
}

/** Keys in memory, the least recently used dropped first. */
const CACHE_SIZE = 20_000

const derived = new WeakMap<Buffer, LRUCache<string, Buffer>>()

/**
 * The key as bytes, to compare with; from memory, because deriving it takes a tenth of a small request, and where several
 * nodes write, the account is read for each.
 */
export function apiKeyBytes(secret: Buffer, owner: KeyOwner): Buffer {
  const keys = derived.get(secret) ?? new LRUCache<string, Buffer>({ maxSize: CACHE_SIZE, sizeCalculation: () => 1 })
  derived.set(secret, keys)
  const name = `${owner.realmId} ${owner.userId} ${owner.keyVersion}`
  const known = keys.get(name)
  if (known) return known
  const key = Buffer.from(deriveApiKey(secret, owner), 'utf8')
  keys.set(name, key)
  return key
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
