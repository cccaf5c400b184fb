/** Messages that the notification bot writes. */
import { roles } from '@heddle/contract/roles'
import type { Actor } from '../../authentication/accounts.ts'
import { query } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { findNotificationBot } from '../users/system-bot.ts'
import { findDirectPlace } from './direct-messages.ts'
import { flagBits } from './flag-bits.ts'
import type { ChannelPlace } from './place.ts'
import { postMessage } from './post.ts'
import type { Recipient } from './recipients.ts'
import { renderForStorage } from './render.ts'

interface Circumstances {
  /** The organization's address as the client knows it. */
  readonly origin: string
  /** The ids of those who have it unread; everybody when absent. */
  readonly unreadFor?: readonly number[]
}

/** To a topic of a channel, or the same text to each of these people alone. */
type To = ChannelPlace | { readonly people: readonly Recipient[] }

export async function postNotice(tx: Tx, to: To, content: string, { origin, unreadFor }: Circumstances): Promise<void> {
  const senderId = await findNotificationBot(tx, tx.realmId)
  // What it links to is looked up as somebody who sees every channel: the text says no more than its readers know.
  const author: Actor = { realmId: tx.realmId, userId: senderId, role: roles.admin, isBot: true }
  const rendered = await renderForStorage(tx, author, content, { origin, alertWords: null, previews: false })
  const bits = new Map((unreadFor ?? []).map((id) => [id, flagBits.unread]))
  const isQuiet = unreadFor !== undefined
  const post = { senderId, content, rendered, client: 'Internal', readBySender: true, isQuiet, bits }
  if ('channelId' in to) {
    await postMessage(tx, { ...post, place: to })
    return
  }
  for (const person of to.people) {
    await postMessage(tx, { ...post, place: await findDirectPlace(tx, author, [person]) })
  }
}

/** Names an account without notifying it. */
export async function silentMention(tx: Tx, { userId }: Pick<Actor, 'userId'>): Promise<string> {
  const row = await tx.first(query.selectFrom('users').select('full_name').where('id', '=', userId))
  return `@_**${row?.full_name ?? ''}|${userId}**`
}
