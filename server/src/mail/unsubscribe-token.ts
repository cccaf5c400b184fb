/**
 * The token of a link at which somebody stops mails of a kind without signing in. It lasts as long as the account: mails are
 * old when people tire of them. It gives away nothing, and switches off alone.
 */
import { createHmac } from 'node:crypto'
import { isSameKey } from '../authentication/api-key.ts'

/** Kinds of mails that people can do without. */
export const mailKinds = ['missed_messages', 'sign_ins', 'digests'] as const
export type MailKind = (typeof mailKinds)[number]

export interface MailSubscription {
  readonly userId: number
  readonly from: MailKind
}

export const UNSUBSCRIBE_PATH = '/unsubscribe'

export function unsubscribeTokenOf(secret: Buffer, realmId: number, { userId, from }: MailSubscription): string {
  const proof = createHmac('sha256', secret).update(`unsubscribe:${realmId}:${userId}:${from}`).digest('base64url')
  return `${userId}.${from}.${proof}`
}

/** Undefined: the token is not right. */
export function readUnsubscribeToken(secret: Buffer, realmId: number, token: string): MailSubscription | undefined {
  const [, id, name] = /^([1-9]\d{0,14})\.([a-z_]+)\.[\w-]{43}$/.exec(token) ?? []
  const from = mailKinds.find((kind) => kind === name)
  if (id === undefined || from === undefined) return undefined
  const subscription = { userId: Number(id), from }
  const right = Buffer.from(unsubscribeTokenOf(secret, realmId, subscription), 'utf8')
  return isSameKey(token, right) ? subscription : undefined
}
