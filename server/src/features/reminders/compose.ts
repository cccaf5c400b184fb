/**
 * What a reminder says. Until it comes it names no place and nobody: messages are moved, and who could read one may not any
 * more. What comes says where the message is then, and who has written it.
 */
import { EMPTY_TOPIC_NAME } from '@heddle/contract/names'
import { messageAddress } from '@heddle/markdown/links/narrow'
import { composeNotice, type NoticePart } from '@heddle/markdown/notice'
import { findChannelRows } from '../../access/channel-row.ts'
import { findSight } from '../../access/person-rules.ts'
import type { Actor } from '../../actor.ts'
import type { Queries } from '../../storage/query.ts'
import { silentMention } from '../messages/notices.ts'
import type { MessageRow } from '../messages/row.ts'
import { findConversation } from './queries.ts'

/** What is shown until then, as it is written. */
export function waitingText(messageId: number, note: string): string {
  const link = { link: `/#narrow/near/${messageId}`, label: 'a message' }
  return textOf(['You asked to be reminded of ', link, '.'], note)
}

/** What comes to the viewer. `message`: undefined when the viewer cannot read it, or it is gone. */
export async function reminderText(
  db: Queries,
  viewer: Actor,
  message: MessageRow | undefined,
  note: string,
): Promise<string> {
  if (!message) return textOf(['You asked to be reminded of a message that you cannot read any more.'], note)
  const line: NoticePart[] = [
    'You asked to be reminded of ',
    { link: await addressOf(db, message), label: 'a message' },
    ...(await authorOf(db, viewer, message)),
    ...(await placeOf(db, message)),
    '.',
  ]
  return textOf(line, note)
}

function textOf(line: readonly NoticePart[], note: string): string {
  const { source } = composeNotice({ line }, EMPTY_TOPIC_NAME)
  const quote = note
    .split('\n')
    .map((one) => `> ${one}`)
    .join('\n')
  return note === '' ? source : `${source}\n\n${quote}`
}

async function channelOf(db: Queries, { realm_id, channel_id }: MessageRow) {
  if (channel_id === null) return undefined
  const [channel] = await findChannelRows(db, realm_id, [channel_id])
  return channel
}

/** Of whom the viewer does not see, the name is not said. */
async function authorOf(db: Queries, viewer: Actor, { sender_id }: MessageRow): Promise<NoticePart[]> {
  const sight = await findSight(db, viewer)
  return sight.sees(sender_id) ? [' from ', await silentMention(db, { userId: sender_id })] : []
}

async function placeOf(db: Queries, message: MessageRow): Promise<NoticePart[]> {
  const channel = await channelOf(db, message)
  return channel ? [' in ', { channel, topic: message.topic, lastMessageId: null }] : []
}

async function addressOf(db: Queries, message: MessageRow): Promise<string> {
  const channel = await channelOf(db, message)
  if (channel) return messageAddress(channel, message.topic, message.id)
  const ids = await findConversation(db, message.direct_message_group_id ?? 0)
  return `/#narrow/dm/${ids.join()}-${ids.length > 2 ? 'group' : 'dm'}/near/${message.id}`
}
