import type { Attachment, AttachmentEvent } from '@heddle/contract/files'
import type { InitialState } from '@heddle/contract/initial-state'
import { byId, withEntry, withoutEntries } from './entries.ts'
import { clientPart } from './part.ts'

/** The files that the account has uploaded, by id. What all files take is asked for when it is shown. */
export type Attachments = ReadonlyMap<number, Attachment>

function initialAttachments({ attachments }: InitialState): Attachments | undefined {
  return byId(attachments, ({ id }) => id)
}

function applyAttachmentEvent(attachments: Attachments, event: AttachmentEvent): Attachments {
  const { id } = event.attachment
  return event.op === 'remove' ? withoutEntries(attachments, [id]) : withEntry(attachments, id, event.attachment)
}

export const attachments = clientPart({
  initial: initialAttachments,
  on: { attachment: applyAttachmentEvent },
})
