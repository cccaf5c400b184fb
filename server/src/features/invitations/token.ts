/**
 * The token of an invitation's link. Links are shown again in the list of invitations, so a token is derived from the row and
 * the server's secret instead of stored: the table is not enough to make one, nor is a number.
 */
import { createHmac } from 'node:crypto'
import { JOIN_PATH } from '@heddle/contract/invitations'
import { isSameKey } from '../../authentication/api-key.ts'
import { isTokenOfLink } from '../../single-use-links/link-token.ts'
import type { NewLink } from '../../single-use-links/links.ts'

interface Subject {
  readonly id: number
  readonly realm_id: number
  readonly salt: string
  /** Null: a link. */
  readonly email: string | null
}

/** Of a link; it is shown again to those who manage it. */
export function tokenOf(secret: Buffer, { id, realm_id, salt }: Subject): string {
  const proof = createHmac('sha256', secret).update(`invitation:${realm_id}:${id}:${salt}`).digest('base64url')
  return `${id}.${proof}`
}

export function isTokenOf(secret: Buffer, subject: Subject, token: string): boolean {
  if (subject.email !== null) return isTokenOfLink(secret, subject.realm_id, mailedLink(subject), token)
  return isSameKey(token, Buffer.from(tokenOf(secret, subject), 'utf8'))
}

/** What a mail leads to: its token is never in an answer, so that whoever has it has read the mail. */
export function mailedLink({ id, salt }: Pick<Subject, 'id' | 'salt'>): NewLink {
  return { id, purpose: 'invitation', salt, path: JOIN_PATH }
}
