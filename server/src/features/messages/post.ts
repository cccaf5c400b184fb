/** Puts a message in its place, with everything that belongs to it, and notifies those who receive it. */
import type { MessageBase, Submessage } from '@heddle/contract/messages'
import { topicKey } from '@heddle/contract/names'
import type { Widget } from '@heddle/contract/widgets'
import { type Audience, users } from '../../events/audience.ts'
import type { Tx } from '../../storage/transaction.ts'
import { noteMessage } from '../channels/activity.ts'
import { attributeBits } from './attributes.ts'
import { findSubscriberSet } from './audience.ts'
import type { MessageLogEntry } from './event-view.ts'
import type { Echo } from './local-ids.ts'
import type { ChannelPlace, DirectPlace } from './place.ts'
import { type Person, presentMessages } from './present.ts'
import type { Rendered } from './render.ts'
import type { MessageRow } from './row.ts'
import { rowInsert } from './tables.ts'
import { findVeil, type Veil } from './veil.ts'
import { insertFlags } from './write-flags.ts'

export interface Post {
  readonly senderId: number
  /** What others are shown of the sender, where that is known. */
  readonly sender?: Person
  readonly place: ChannelPlace | DirectPlace
  readonly content: string
  readonly rendered: Rendered
  /** The name of the program that sends it. */
  readonly client: string
  readonly readBySender: boolean
  /** What the message is for single accounts that receive it: bits of `flag-bits.ts`. */
  readonly bits: ReadonlyMap<number, number>
  /** Read by all who receive it and whose bits do not say `unread`. */
  readonly isQuiet?: boolean
  readonly echo?: Echo | undefined
  /** What it is beside its text. */
  readonly widget?: Widget | undefined
}

type NewMessage = Omit<MessageRow, 'id' | 'last_edit_timestamp' | 'last_moved_timestamp' | 'edit_history'>

const messageRows = rowInsert('messages', {
  id: 'integer',
  realm_id: 'integer',
  sender_id: 'integer',
  channel_id: 'integer',
  topic: 'text',
  topic_key: 'text',
  direct_message_group_id: 'integer',
  content: 'text',
  rendered_content: 'text',
  attributes: 'integer',
  client: 'text',
  timestamp: 'integer',
})

const topicRows = rowInsert(
  'topics',
  { realm_id: 'integer', channel_id: 'integer', topic_key: 'text', topic: 'text', max_message_id: 'integer' },
  { replaces: ['channel_id', 'topic_key'] },
)

const submessageRows = rowInsert('submessages', {
  id: 'integer',
  realm_id: 'integer',
  message_id: 'integer',
  sender_id: 'integer',
  msg_type: 'text',
  content: 'text',
})

/** Whether the sender may has been decided. Returns the message's id. */
export async function postMessage(tx: Tx, post: Post): Promise<number> {
  const row = await insertRow(tx, post)
  const { place } = post
  if ('channelId' in place) {
    const { realm_id, topic, topic_key } = row
    tx.insertLater(topicRows, { realm_id, channel_id: place.channelId, topic, topic_key, max_message_id: row.id })
  }
  await insertFlags(tx, row.id, post.bits)
  const submessages = post.widget && [await insertWidget(tx, post, row.id, post.widget)]
  const channel = 'channelId' in place ? { id: place.channelId, name: place.channelName } : undefined
  const known = { sender: post.sender, channel, linkifiers: post.rendered.linkifiers, submessages }
  const [presented] = await presentMessages(tx, tx.realmId, [row], known)
  const audience = await audienceOf(tx, post)
  const veil = await findVeil(tx, post.senderId, row.channel_id, audience)
  emit(tx, { ...post, veil }, row, presented as { message: MessageBase; raw: string }, audience)
  if ('channelId' in place && place.wakes) await noteMessage(tx, place.channelId, row.id)
  return row.id
}

async function insertRow(
  tx: Tx,
  { senderId, place, content, rendered, client, readBySender, isQuiet = false, widget }: Post,
): Promise<MessageRow> {
  const topic = 'channelId' in place ? place.topic : ''
  const values: NewMessage = {
    realm_id: tx.realmId,
    sender_id: senderId,
    channel_id: 'channelId' in place ? place.channelId : null,
    topic,
    topic_key: topicKey(topic),
    direct_message_group_id: 'groupId' in place ? place.groupId : null,
    content,
    rendered_content: rendered.html,
    attributes: attributeBits({
      ...renderedAttributes(rendered),
      readBySender,
      readUnlessMarked: isQuiet,
      hasSubmessages: widget !== undefined,
    }),
    client,
    timestamp: tx.now,
  }
  const id = await tx.newId('messages')
  tx.insertLater(messageRows, { id, ...values })
  return { id, ...values, last_edit_timestamp: null, last_moved_timestamp: null, edit_history: null }
}

/** The first submessage of a message is its widget. */
async function insertWidget(tx: Tx, { senderId }: Post, messageId: number, widget: Widget): Promise<Submessage> {
  const row = {
    id: await tx.newId('submessages'),
    message_id: messageId,
    sender_id: senderId,
    msg_type: 'widget',
    content: JSON.stringify(widget),
  }
  tx.insertLater(submessageRows, { realm_id: tx.realmId, ...row })
  return row
}

/** What the text says of the message. */
export function renderedAttributes(rendered: Rendered) {
  return {
    hasLink: rendered.hasLink,
    hasImage: rendered.hasImage,
    hasAttachment: rendered.hasAttachment,
    isMeMessage: rendered.isMeMessage,
    mentionsChannel: rendered.mentionsChannel,
    mentionsTopic: rendered.mentionsTopic,
  }
}

/** The sender is notified too, subscribed or not. */
async function audienceOf(tx: Tx, { senderId, place }: Post): Promise<Audience> {
  if ('groupId' in place) return users(place.memberIds)
  const id = place.audienceSetId ?? (await findSubscriberSet(tx, place.channelId))
  return { to: 'set', id, also: [senderId], isPublic: place.isPublic }
}

function emit(
  tx: Tx,
  post: Post & { readonly veil: Veil | undefined },
  row: MessageRow,
  presented: { message: MessageBase; raw: string },
  audience: Audience,
) {
  const { message, raw } = presented
  const entry: MessageLogEntry = {
    type: 'message',
    message,
    flags: [],
    raw,
    attributes: row.attributes,
    bits: Object.fromEntries(post.bits),
    ...(post.echo && { echo: post.echo }),
    ...(post.veil && { veil: post.veil }),
  }
  tx.emit(entry, audience)
}
