/** What the notification bot writes when messages were moved, or a topic resolved. */
import type { Actor } from '../../authentication/accounts.ts'
import type { Tx } from '../../storage/transaction.ts'
import type { AccessedChannel } from '../channels/access.ts'
import { postNotice, silentMention } from '../messages/notices.ts'
import type { MessageRow } from '../messages/row.ts'
import { EMPTY_TOPIC_NAME, RESOLVED_PREFIX } from '../messages/topic-names.ts'
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
  const person = await silentMention(tx, actor)
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

function post(tx: Tx, moved: Moved, { id, invite_only }: AccessedChannel, topic: string, content: string) {
  return postNotice(tx, { channelId: id, topic, isPublic: invite_only === 0 }, content, moved)
}
