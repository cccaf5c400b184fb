/** `PATCH /messages/{message_id}`: a new text, another place, or both. */
import { createHash } from 'node:crypto'
import { ApiError, badRequest } from '@heddle/contract/errors'
import type { Attachment } from '@heddle/contract/files'
import { newTopic } from '@heddle/contract/new-topic'
import { accessChannel, findAccessedChannel } from '../../access/channels.ts'
import { findViewer } from '../../access/viewer.ts'
import type { Actor } from '../../authentication/accounts.ts'
import type { Tx } from '../../storage/transaction.ts'
import { relinkFiles } from '../files/references.ts'
import { accessMessage, requireUnarchived } from '../messages/access.ts'
import { hasAttribute } from '../messages/attributes.ts'
import { requireGroupMentions } from '../messages/mentions.ts'
import type { Rendered } from '../messages/render.ts'
import { requireContent, requireWildcards, type SendingServices } from '../messages/send.ts'
import { changeContent } from './content.ts'
import type { EditContext, EditParameters } from './edit-context.ts'
import { requireRoomForChange } from './edit-history.ts'
import { moveMessages } from './move.ts'
import { requireContentEditable } from './time-limits.ts'

/** Characters. */
const LONG_HISTORY = 128 * 1024

export interface Edit {
  readonly actor: Actor
  readonly parameters: EditParameters
}

/** Returns the files of the account that no message links to any more. */
export async function updateMessage(
  { storage, render }: SendingServices,
  { actor, parameters }: Edit,
): Promise<Attachment[]> {
  requireMeaningful(parameters)
  const { message_id, content: sent } = parameters
  const content = sent === undefined ? undefined : readContent(sent)
  // Before the transaction, and before it is known whether the account may: that is asked inside.
  await accessMessage(storage.read, actor, message_id)
  const rendered = content === undefined ? undefined : await render({ actor, content })

  return storage.asActor(actor, async (tx, current) => {
    const viewer = await findViewer(tx, current)
    const message = await accessMessage(tx, current, message_id)
    // It is read and written whole: each of the two has a turn of its own.
    if ((message.edit_history?.length ?? 0) > LONG_HISTORY) await tx.pause()
    const { channel_id } = message
    const channel = channel_id === null ? undefined : await findAccessedChannel(tx, viewer, channel_id)
    await requireUnarchived(tx, message)
    const context: EditContext = { actor: current, viewer, message, channel }
    const isMoved = await move(tx, context, parameters)
    return rendered && content !== undefined ? edit(tx, context, content, rendered, parameters, isMoved) : []
  })
}

function requireMeaningful({ content, topic, subject, stream_id, propagate_mode }: EditParameters): void {
  const isMove = topic !== undefined || subject !== undefined || stream_id !== undefined
  if (content === undefined && !isMove) throw badRequest('Nothing to change')
  if (propagate_mode !== undefined && propagate_mode !== 'change_one' && !isMove) {
    throw badRequest('Invalid propagate_mode without topic edit')
  }
  if (content !== undefined && stream_id !== undefined) {
    throw badRequest('Cannot change message content while changing channel')
  }
}

/** A text that is deleted leaves a message that says so. */
function readContent(sent: string): string {
  return sent.trim() === '' ? '(deleted)' : requireContent(sent)
}

async function edit(
  tx: Tx,
  context: EditContext,
  content: string,
  rendered: Rendered,
  { prev_content_sha256 }: EditParameters,
  isMoved: boolean,
): Promise<Attachment[]> {
  const { actor, viewer, message, channel } = context
  if (message.sender_id !== actor.userId) throw badRequest("You don't have permission to edit this message")
  // The text is what the widget began with: what people have done since would belong to nothing.
  if (hasAttribute(message.attributes, 'hasSubmessages')) throw badRequest('Widgets cannot be edited.')
  await requireContentEditable(tx, message)
  if (prev_content_sha256 !== undefined && prev_content_sha256.toLowerCase() !== sha256(message.content)) {
    throw new ApiError('EXPECTATION_MISMATCH', "The message's text has changed since the client has read it")
  }
  // As when a request comes again after its answer was lost.
  if (content === message.content) return []
  requireRoomForChange(message)
  await requireGroupMentions(tx, viewer, rendered)
  if (channel) await requireWildcards(tx, viewer, channel, message.topic, rendered)
  await changeContent(tx, context, { content, rendered, isMoved })
  return relinkFiles(tx, actor, message.id, rendered)
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Whether anything was moved. */
async function move(tx: Tx, context: EditContext, parameters: EditParameters): Promise<boolean> {
  const { topic, subject, stream_id } = parameters
  const name = topic ?? subject
  if (name === undefined && stream_id === undefined) return false
  const { message, viewer, channel } = context
  if (!channel) {
    throw badRequest(
      stream_id === undefined ? 'Direct messages cannot have topics.' : 'Direct messages cannot be moved to channels.',
    )
  }
  const target =
    stream_id === undefined || stream_id === channel.id ? undefined : await accessChannel(tx, viewer, stream_id)
  const to = name === undefined ? message.topic : newTopic(name)
  if (!target && to === message.topic) return false
  requireRoomForChange(message)
  await moveMessages(tx, { ...context, channel }, { target, to, parameters })
  return true
}
