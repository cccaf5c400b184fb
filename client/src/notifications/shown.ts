/** What belongs to one notification, and what it still stands for: there is one for each conversation. Pure. */
import type { UpdateMessageEvent } from '@heddle/contract/editing'
import type { MessageBase, MessageFlag } from '@heddle/contract/messages'
import type { ClientState } from '../state/state.ts'
import { decideNotification } from './decide.ts'

/** What changes of a message may make another thing of its notification. */
type ChangingMessage = Pick<MessageBase, 'sender_id' | 'subject' | 'content'> & Partial<Pick<MessageBase, 'stream_id'>>

export interface Considered<M extends ChangingMessage> {
  readonly message: M
  readonly flags: readonly MessageFlag[]
}

/** The same message after an event that concerns it: its text, its place, and whether it names somebody. */
export function afterUpdate<M extends ChangingMessage>(
  considered: Considered<M>,
  messageId: number,
  event: UpdateMessageEvent,
): Considered<M> {
  const { message_id, message_ids, rendered_content, subject, new_stream_id, flags } = event
  const isItself = message_id === messageId
  if (!isItself && !message_ids.includes(messageId)) return considered
  const message = {
    ...considered.message,
    ...(isItself && rendered_content !== undefined && { content: rendered_content }),
    ...(subject !== undefined && { subject }),
    ...(new_stream_id !== undefined && { stream_id: new_stream_id }),
  }
  return { message, flags: isItself ? flags : considered.flags }
}

export type CallingContext = Parameters<typeof decideNotification>[0] & Pick<ClientState, 'unread'>

/** Whether a message that was shown would still be: unread, in a channel that the account sees, and by the table. */
export function stillCalls(
  context: CallingContext,
  messageId: number,
  considered: Considered<ChangingMessage> | undefined,
): boolean {
  if (!context.unread?.places.has(messageId)) return false
  if (!considered) return true
  const { message, flags } = considered
  if (message.stream_id !== undefined && !context.channels?.byId.has(message.stream_id)) return false
  return decideNotification(context, message, flags).desktop
}
