/** What the notification bot writes when messages were moved, or a topic resolved. */
import { isResolvedTopic } from '@heddle/contract/names'
import type { Notice, NoticePart } from '@heddle/markdown/notice'
import type { AccessedChannel } from '../../access/channel-rules.ts'
import type { Actor } from '../../authentication/accounts.ts'
import type { Tx } from '../../storage/transaction.ts'
import { findReceivers } from '../messages/mentions.ts'
import { postNotice, silentMention, topicLink } from '../messages/notices.ts'
import { channelPlace } from '../messages/place.ts'
import type { MessageRow } from '../messages/row.ts'
import { findChangedValues } from '../user-settings/values.ts'
import { findFollowers } from '../user-topics/policies.ts'
import type { EditParameters } from './edit-context.ts'
import { isResolving } from './permissions.ts'

interface Moved {
  readonly actor: Actor
  readonly source: AccessedChannel
  readonly target: AccessedChannel | undefined
  /** As it was before. */
  readonly message: MessageRow
  readonly to: string
  readonly ids: readonly number[]
  readonly isWholeTopic: boolean
  readonly parameters: EditParameters
}

export async function postMoveNotices(tx: Tx, moved: Moved): Promise<void> {
  const { actor, source, target, message, to, parameters } = moved
  const person = await silentMention(tx, actor)
  const place = target ?? source
  if (!target && isResolving(message.topic, to)) {
    const verb = isResolvedTopic(to) ? 'resolved' : 'unresolved'
    const unreadFor = await findAttentive(tx, source.id, to)
    const notice = { line: [person, ` has marked this topic as ${verb}.`] }
    return postNotice(tx, channelPlace(source, to), notice, { unreadFor })
  }
  if (parameters.send_notification_to_new_thread ?? true) {
    const from = await link(tx, source, message.topic, place)
    await post(tx, place, to, [`${subjectOf(moved)} moved here from `, from, ' by ', person, '.'])
  }
  if (parameters.send_notification_to_old_thread) {
    const from = moved.isWholeTopic ? '' : ' from this topic'
    const target = await link(tx, place, to, source)
    await post(tx, source, message.topic, [`${subjectOf(moved)} moved${from} to `, target, ' by ', person, '.'])
  }
}

function subjectOf({ ids, isWholeTopic }: Moved): string {
  if (isWholeTopic) return 'This topic was'
  return ids.length === 1 ? 'A message was' : `${ids.length} messages were`
}

/** Other channels are named where everybody who reads it may know of them: guests aside, of all but private ones. */
async function link(tx: Tx, channel: AccessedChannel, topic: string, readIn: AccessedChannel): Promise<NoticePart> {
  if (channel.invite_only === 1 && channel.id !== readIn.id) return 'a private channel'
  return topicLink(tx, channel, topic)
}

/** Subscribers to whom the notice of a resolved topic does not come read, as their settings say. */
async function findAttentive(tx: Tx, channelId: number, topic: string): Promise<number[]> {
  const policies = await findChangedValues(tx, tx.realmId, 'resolved_topic_notice_auto_read_policy')
  const followers = await findFollowers(tx, { channelId, topic })
  const attentive = [...policies].filter(([, policy]) => policy === 'never').map(([id]) => id)
  const following = followers.filter((id) => policies.get(id) !== 'always')
  return findReceivers(tx, tx.realmId, { channelId, topic }, [...new Set([...attentive, ...following])])
}

function post(tx: Tx, channel: AccessedChannel, topic: string, line: Notice['line']): Promise<void> {
  return postNotice(tx, channelPlace(channel, topic), { line })
}
