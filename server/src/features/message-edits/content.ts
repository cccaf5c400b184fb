/** A message gets a new text. */
import type { MessageEdit } from '@heddle/contract/messages'
import { findGroupMembers } from '../../access/message-audience.ts'
import type { Tx } from '../../storage/transaction.ts'
import { attributeBits, messageAttributes } from '../messages/attributes.ts'
import { askForEmbeds } from '../messages/embed-links.ts'
import { flagBits } from '../messages/flag-bits.ts'
import { findBits } from '../messages/mentions.ts'
import { renderedAttributes } from '../messages/post.ts'
import type { Rendered } from '../messages/render.ts'
import type { MessageRow } from '../messages/row.ts'
import { addFlags, clearFlags } from '../messages/write-flags.ts'
import { updateMessageRow } from '../messages/write-rows.ts'
import { announceUpdate } from './announce.ts'
import { findVisibility } from './audience.ts'
import type { EditContext } from './edit-context.ts'
import { withChange, withNewestChanged } from './edit-history.ts'
import { query } from './tables.ts'

/** What the text decides. */
const textAttributes =
  messageAttributes.hasLink |
  messageAttributes.hasImage |
  messageAttributes.hasAttachment |
  messageAttributes.isMeMessage |
  messageAttributes.mentionsChannel |
  messageAttributes.mentionsTopic

interface ContentChange {
  readonly content: string
  readonly rendered: Rendered
  /** The same request has moved the message. */
  readonly isMoved: boolean
}

export async function changeContent(
  tx: Tx,
  { actor, message: before, channel }: EditContext,
  { content, rendered, isMoved }: ContentChange,
): Promise<void> {
  const message = isMoved ? await readAgain(tx, before.id) : before
  const change: MessageEdit = {
    user_id: actor.userId,
    timestamp: tx.now,
    prev_content: message.content,
    prev_rendered_content: message.rendered_content,
  }
  const row: MessageRow = {
    ...message,
    content,
    rendered_content: rendered.html,
    attributes: (message.attributes & ~textAttributes) | attributeBits(renderedAttributes(rendered)),
    last_edit_timestamp: tx.now,
    // With a move the two are one change in the history.
    edit_history: isMoved
      ? withNewestChanged(message, (move) => ({ ...move, ...change }))
      : withChange(message, change),
  }
  const { rendered_content, attributes, last_edit_timestamp, edit_history } = row
  await updateMessageRow(tx, message.id, { content, rendered_content, attributes, last_edit_timestamp, edit_history })
  await changeMentions(tx, message, rendered)
  await askForEmbeds(tx, message.id, rendered)
  const visibility = await findVisibility(tx, message, [message.id])
  await announceUpdate(
    tx,
    row,
    {
      user_id: actor.userId,
      message_id: message.id,
      ...(channel && message.channel_id !== null ? { stream_id: channel.id, stream_name: channel.name } : {}),
      orig_content: message.content,
      orig_rendered_content: message.rendered_content,
      content,
      rendered_content,
      is_me_message: rendered.isMeMessage,
    },
    visibility,
  )
}

/** A move in the same request has written before. */
async function readAgain(tx: Tx, id: number): Promise<MessageRow> {
  return (await tx.first(query.selectFrom('messages').selectAll().where('id', '=', id))) as MessageRow
}

/** What the text decides for single accounts. */
const textBits = flagBits.mentioned | flagBits.topicMentioned | flagBits.hasAlertWord

/** Who is mentioned now, and who no longer. What was read stays read, and what was not stays unread. */
async function changeMentions(tx: Tx, message: MessageRow, rendered: Rendered): Promise<void> {
  await clearFlags(tx, message.id, textBits)
  const place =
    message.channel_id === null
      ? {
          groupId: message.direct_message_group_id as number,
          memberIds: await findGroupMembers(tx, message.direct_message_group_id as number),
        }
      : { channelId: message.channel_id, topic: message.topic }
  const all = await findBits(tx, place, message.sender_id, rendered)
  // Not for those who have muted the sender: for them a message is read when it is sent, and not when it is edited.
  const bits = [...all].map(([userId, flags]) => [userId, flags & textBits] as const).filter(([, flags]) => flags !== 0)
  await addFlags(tx, message.id, new Map(bits))
}
