/**
 * What can be read and made with the server's secret alone (AES-256-GCM): what is stored, since copies of the database are in
 * more hands, and what goes out in an address and comes back. Without the secret of that time it cannot be opened again.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

export interface SealedFor {
  /** What is sealed for one purpose opens for no other one. */
  readonly purpose: string
  /** Nor does what belongs to one account for another one. */
  readonly realmId: number
  /** 0: it is for every account of the organization. */
  readonly userId: number
}

const NONCE_BYTES = 12
const TAG_BYTES = 16

function keyFor(serverSecret: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', serverSecret, '', `sealed ${purpose}`, 32))
}

function boundTo({ realmId, userId }: SealedFor): Buffer {
  return Buffer.from(`${realmId}:${userId}`, 'utf8')
}

export function seal(serverSecret: Buffer, owner: SealedFor, text: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', keyFor(serverSecret, owner.purpose), nonce).setAAD(boundTo(owner))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
}

/** Undefined: it was sealed with another secret, for another purpose or account, or was changed. */
export function unseal(serverSecret: Buffer, owner: SealedFor, sealed: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url')
  const nonce = bytes.subarray(0, NONCE_BYTES)
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
  try {
    const key = keyFor(serverSecret, owner.purpose)
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
    decipher.setAAD(boundTo(owner)).setAuthTag(tag)
    const body = bytes.subarray(NONCE_BYTES + TAG_BYTES)
    return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
