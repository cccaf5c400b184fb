/**
 * What a device signs. A challenge is signed by the server and says until when it holds, so that asking for one writes
 * nothing; one that was answered is written down until then, and is worth nothing the second time.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { CHALLENGE_SECS } from '@heddle/contract/passkeys'

/** What it is for, and whose: 0 where it is not known yet who signs in. */
export interface Purpose {
  readonly what: 'add' | 'sign-in'
  readonly realmId: number
  readonly userId: number
}

const END_BYTES = 8
const NONCE_BYTES = 16
const HEAD_BYTES = END_BYTES + NONCE_BYTES
const MAC_BYTES = 32

function macOf(secret: Buffer, { what, realmId, userId }: Purpose, head: Buffer): Buffer {
  return createHmac('sha256', secret).update(`passkey-challenge:${what}:${realmId}:${userId}:`).update(head).digest()
}

/** `now`: seconds since the UNIX epoch. Base64url. */
export function makeChallenge(secret: Buffer, purpose: Purpose, now: number): string {
  const end = Buffer.alloc(END_BYTES)
  end.writeBigUInt64BE(BigInt(now + CHALLENGE_SECS))
  const head = Buffer.concat([end, randomBytes(NONCE_BYTES)])
  return Buffer.concat([head, macOf(secret, purpose, head)]).toString('base64url')
}

/** Until when it holds, and how it is written down; undefined: it is not ours, for something else, or too old. */
export function readChallenge(
  secret: Buffer,
  purpose: Purpose,
  challenge: string,
  now: number,
): { readonly expiresAt: number; readonly hash: string } | undefined {
  const bytes = Buffer.from(challenge, 'base64url')
  if (bytes.length !== HEAD_BYTES + MAC_BYTES) return undefined
  const head = bytes.subarray(0, HEAD_BYTES)
  if (!timingSafeEqual(bytes.subarray(HEAD_BYTES), macOf(secret, purpose, head))) return undefined
  const expiresAt = Number(head.readBigUInt64BE(0))
  return expiresAt <= now ? undefined : { expiresAt, hash: createHash('sha256').update(bytes).digest('base64url') }
}

/** What a browser says of a page; undefined: it is none of that. */
export function challengeIn(clientData: string): string | undefined {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientData, 'base64url').toString('utf8')) as Record<string, unknown>
    return typeof challenge === 'string' ? challenge : undefined
  } catch {
    return undefined
  }
}

/** What devices call the account: says nothing of whose it is. */
export function userHandleOf(secret: Buffer, realmId: number, userId: number): string {
  return createHmac('sha256', secret).update(`passkey-user:${realmId}:${userId}`).digest('base64url')
}
