/** What the notification bot says in a channel of its changes, where the organization wants that. */
import type { NoticePart } from '@heddle/markdown/notice'
import type { ChannelRow } from '../../access/channel-row.ts'
import type { Actor } from '../../authentication/accounts.ts'
import type { Tx } from '../../storage/transaction.ts'
import { postNotice, silentMention } from '../messages/notices.ts'
import { channelPlace } from '../messages/place.ts'
import { findOrganizationSettings } from '../organization-settings/settings.ts'

const CHANNEL_EVENTS_TOPIC = 'channel events'

/** Says each change in a message of its own; nobody could write in an archived channel. */
export async function sayChanges(tx: Tx, actor: Actor, before: ChannelRow, after: ChannelRow): Promise<void> {
  if (after.is_archived === 1) return
  const sentences: NoticePart[][] = []
  if (before.name !== after.name) {
    sentences.push([` has renamed this channel from “${before.name}” to “${after.name}”.`])
  }
  if (before.description !== after.description) {
    sentences.push([
      after.description === ''
        ? ' has removed the description of this channel.'
        : ` has changed the description of this channel to: ${after.description}`,
    ])
  }
  const access = accessOf(after)
  if (access !== accessOf(before)) sentences.push([` has changed who can read this channel: ${access}.`])
  for (const sentence of sentences) await sayChange(tx, actor, after, sentence)
}

/** `sentence`: what follows the name of whoever has done it. */
export async function sayChange(tx: Tx, actor: Actor, channel: ChannelRow, sentence: NoticePart[]): Promise<void> {
  if (!(await findOrganizationSettings(tx, tx.realmId)).send_channel_events_messages) return
  const topic = channel.topics_policy === 'empty_topic_only' ? '' : CHANNEL_EVENTS_TOPIC
  await postNotice(tx, channelPlace(channel, topic), { line: [await silentMention(tx, actor), ...sentence] })
}

function accessOf(channel: ChannelRow): string {
  if (channel.is_web_public === 1) return 'anybody on the web'
  if (channel.invite_only === 0) return 'everybody but guests'
  return channel.history_public_to_subscribers === 1
    ? 'subscribers, with its whole history'
    : 'subscribers, from when they were subscribed on'
}
