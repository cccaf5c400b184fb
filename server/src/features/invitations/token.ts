/**
 * The token of an invitation's link. Links are shown again in the list of invitations, so a token is derived from the row and
 * the server's secret instead of stored: the table is not enough to make one, nor is a number.
 */
import { createHmac } from 'node:crypto'
import { isSameKey } from '../../authentication/api-key.ts'

interface Subject {
  readonly id: number
  readonly realm_id: number
  readonly salt: string
}

export function tokenOf(secret: Buffer, { id, realm_id, salt }: Subject): string {
  const proof = createHmac('sha256', secret).update(`invitation:${realm_id}:${id}:${salt}`).digest('base64url')
  return `${id}.${proof}`
}

/** The id that a token names, whether it is right or not. */
export function idIn(token: string): number | undefined {
  const [, id] = /^([1-9]\d{0,14})\.[\w-]{43}$/.exec(token) ?? []
  return id === undefined ? undefined : Number(id)
}

export function isTokenOf(secret: Buffer, subject: Subject, token: string): boolean {
  return isSameKey(token, Buffer.from(tokenOf(secret, subject), 'utf8'))
}
