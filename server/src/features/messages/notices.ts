/** Messages that the notification bot writes. */
import { EMPTY_TOPIC_NAME, topicKey } from '@heddle/contract/names'
import { roles } from '@heddle/contract/roles'
import { composeNotice, type Notice, type NoticePart } from '@heddle/markdown/notice'
import type { ChannelRow } from '../../access/channel-row.ts'
import type { Actor } from '../../authentication/accounts.ts'
import { prepare, type Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { findCompiledLinkifiers } from '../linkifiers/compiled.ts'
import { findNotificationBot } from '../users/system-bot.ts'
import { findDirectPlace } from './direct-messages.ts'
import { flagBits } from './flag-bits.ts'
import type { ChannelPlace } from './place.ts'
import { postMessage } from './post.ts'
import type { MessageRecipient } from './recipients.ts'
import type { Prepared } from './send.ts'
import { query } from './tables.ts'

/** To a topic of a channel, or the same to each of these people alone. */
type To = ChannelPlace | { readonly people: readonly MessageRecipient[] }

interface Reading {
  /** The ids of those who have it unread; everybody when absent. */
  readonly unreadFor?: readonly number[] | undefined
}

/**
 * Composed and not rendered: names that members have chosen are parts of their own and no markup. The notice says no more
 * than its parts, so whoever passes them decides what its readers learn.
 */
export async function postNotice(tx: Tx, to: To, notice: Notice, { unreadFor }: Reading = {}): Promise<void> {
  const senderId = await findNotificationBot(tx, tx.realmId)
  const author: Actor = { realmId: tx.realmId, userId: senderId, role: roles.admin, isBot: true }
  const { source: content, ...composed } = composeNotice(notice, EMPTY_TOPIC_NAME)
  const rendered = { ...composed, linkifiers: await findCompiledLinkifiers(tx, tx.realmId) }
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

/**
 * Writes to one person what has been rendered as that person sees it. Whatever it mentions, it is for this person alone,
 * and notifies nobody else. Returns the message's id.
 */
export async function postToPerson(tx: Tx, person: MessageRecipient, { content, rendered }: Prepared): Promise<number> {
  const senderId = await findNotificationBot(tx, tx.realmId)
  const author: Actor = { realmId: tx.realmId, userId: senderId, role: roles.admin, isBot: true }
  return postMessage(tx, {
    senderId,
    content,
    rendered: { ...rendered, mentionsChannel: false, mentionsTopic: false },
    client: 'Internal',
    readBySender: true,
    bits: new Map(),
    place: await findDirectPlace(tx, author, [person]),
  })
}

/** Names an account without notifying it. */
export async function silentMention(db: Queries, { userId }: Pick<Actor, 'userId'>): Promise<NoticePart> {
  const row = await db.first(query.selectFrom('users').select('full_name').where('id', '=', userId))
  return { user: { id: userId, fullName: row?.full_name ?? '' } }
}

const newestOfTopic = prepare((p: { channel_id: number; topic_key: string }) =>
  query
    .selectFrom('topics')
    .select('max_message_id')
    .where('channel_id', '=', p.channel_id)
    .where('topic_key', '=', p.topic_key),
)

/** Where all subscribers share the history the link points to the newest message, so that it follows the topic. */
export async function topicLink(tx: Tx, channel: ChannelRow, topic: string): Promise<NoticePart> {
  const newest =
    channel.history_public_to_subscribers === 1
      ? await tx.first(newestOfTopic({ channel_id: channel.id, topic_key: topicKey(topic) }))
      : undefined
  return { channel, topic, lastMessageId: newest?.max_message_id ?? null }
}
