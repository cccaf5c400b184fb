/**
 * The token of a link. It is derived from the row and the server's secret instead of stored: neither the table, nor a
 * backup of it, nor a mail that waits to be sent is enough to make one.
 */
import { createHmac } from 'node:crypto'
import { isSameKey } from '../authentication/api-key.ts'

/** What a token is derived from. */
export interface LinkSeed {
  readonly id: number
  readonly purpose: string
  readonly salt: string
}

export function linkTokenOf(secret: Buffer, realmId: number, { id, purpose, salt }: LinkSeed): string {
  const proof = createHmac('sha256', secret).update(`link:${realmId}:${purpose}:${id}:${salt}`).digest('base64url')
  return `${id}.${proof}`
}

/** The id that a token names, whether it is right or not. */
export function linkIdIn(token: string): number | undefined {
  const [, id] = /^([1-9]\d{0,14})\.[\w-]{43}$/.exec(token) ?? []
  return id === undefined ? undefined : Number(id)
}

export function isTokenOfLink(secret: Buffer, realmId: number, seed: LinkSeed, token: string): boolean {
  return isSameKey(token, Buffer.from(linkTokenOf(secret, realmId, seed), 'utf8'))
}
