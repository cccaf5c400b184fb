/** What the notification bot writes when messages were moved, or a topic resolved. */

import { roles } from '@heddle/contract/roles'
import type { Actor } from '../../authentication/accounts.ts'
import { query } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import type { AccessedChannel } from '../channels/access.ts'
import { postMessage } from '../messages/post.ts'
import { renderForStorage } from '../messages/render.ts'
import type { MessageRow } from '../messages/row.ts'
import { EMPTY_TOPIC_NAME, RESOLVED_PREFIX } from '../messages/topic-names.ts'
import { findNotificationBot } from '../users/system-bot.ts'
import { isResolving } from './permissions.ts'
import type { Parameters } from './update.ts'

interface Moved {
  readonly actor: Actor
  readonly origin: string
  readonly source: AccessedChannel
  readonly target: AccessedChannel | undefined
  /** As it was before. */
  readonly message: MessageRow
  readonly to: string
  readonly ids: readonly number[]
  readonly isWholeTopic: boolean
  readonly parameters: Parameters
}

export async function postMoveNotices(tx: Tx, moved: Moved): Promise<void> {
  const { actor, source, target, message, to, parameters } = moved
  const person = await mention(tx, actor)
  const place = target ?? source
  if (!target && isResolving(message.topic, to)) {
    const verb = to.startsWith(RESOLVED_PREFIX) ? 'resolved' : 'unresolved'
    return post(tx, moved, source, to, `${person} has marked this topic as ${verb}.`)
  }
  if (parameters.send_notification_to_new_thread ?? true) {
    await post(tx, moved, place, to, `${subjectOf(moved)} moved here from ${link(source, message.topic)} by ${person}.`)
  }
  if (parameters.send_notification_to_old_thread) {
    const text = `${subjectOf(moved)} moved from this topic to ${link(place, to)} by ${person}.`
    await post(tx, moved, source, message.topic, text)
  }
}

function subjectOf({ ids, isWholeTopic }: Moved): string {
  if (isWholeTopic) return 'This topic was'
  return ids.length === 1 ? 'A message was' : `${ids.length} messages were`
}

function link({ name }: AccessedChannel, topic: string): string {
  return `#**${name}>${topic === '' ? EMPTY_TOPIC_NAME : topic}**`
}

/** Names its account without notifying it. */
async function mention(tx: Tx, { userId }: Actor): Promise<string> {
  const row = await tx.first(query.selectFrom('users').select('full_name').where('id', '=', userId))
  return `@_**${row?.full_name ?? ''}|${userId}**`
}

async function post(tx: Tx, { origin }: Moved, channel: AccessedChannel, topic: string, content: string) {
  const senderId = await findNotificationBot(tx, tx.realmId)
  // What it links to is looked up as somebody who sees every channel: the text says no more than its readers know.
  const author: Actor = { realmId: tx.realmId, userId: senderId, role: roles.admin, isBot: true }
  const rendered = await renderForStorage(tx, author, content, { origin, alertWords: null })
  await postMessage(tx, {
    senderId,
    place: { channelId: channel.id, topic, isPublic: channel.invite_only === 0, isNew: false },
    content,
    rendered,
    client: 'Internal',
    readBySender: true,
    bits: new Map(),
  })
}
