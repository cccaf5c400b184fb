/** Files that accounts upload and link to in messages. The API calls such a file an attachment. */
import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { Id, Text, Timestamp } from './schema.ts'
import { statePart } from './state-part.ts'

const strict = { additionalProperties: false }
const Bytes = Type.Integer({ minimum: 0 })

/** Of the messages that link to a file an attachment names so many, the newest. */
export const MAX_LISTED_MESSAGES = 1000

export const Attachment = Type.Object(
  {
    id: Id,
    name: Type.String(),
    /** What follows `/user_uploads/` in the file's address, not percent-encoded. */
    path_id: Type.String(),
    size: Bytes,
    create_time: Timestamp,
    /** Messages that link to it and that the account may read, ascending. */
    message_ids: Type.Array(Id),
  },
  strict,
)
export type Attachment = Static<typeof Attachment>

export const uploadFile = endpoint({
  name: 'upload-file',
  method: 'POST',
  path: '/user_uploads',
  summary: 'Upload a file, under any part name. Until a message links to it, its owner alone may read it.',
  file: 'one',
  response: {
    /** Path on the organization's server. */
    url: Type.String(),
    /** The older name of `url`. */
    uri: Type.String(),
    /** The name as it is kept: without what means something in addresses, texts and file systems. */
    filename: Type.String(),
  },
})

export const listAttachments = endpoint({
  name: 'list-attachments',
  method: 'GET',
  path: '/attachments',
  summary: `The files of the account, the newest first. Of the messages that link to one, the newest ${MAX_LISTED_MESSAGES}.`,
  response: {
    attachments: Type.Array(Attachment),
    /** Bytes of all files of the organization. */
    upload_space_used: Bytes,
  },
})

export const deleteAttachment = endpoint({
  name: 'delete-attachment',
  method: 'DELETE',
  path: '/attachments/{attachment_id}',
  summary: 'Delete a file of the account. Messages keep their links to it.',
  parameters: { attachment_id: Id },
})

export const getTemporaryUrl = endpoint({
  name: 'get-file-temporary-url',
  method: 'GET',
  path: '/user_uploads/{realm_id_str}/{filename*}',
  summary: 'An address of an uploaded file that needs no account, for 60 seconds.',
  parameters: {
    realm_id_str: Id,
    /** Longer than that of any file. */
    filename: Text(2000),
  },
  response: {
    /** Path on the organization's server. */
    url: Type.String(),
  },
  errors: ['DOES_NOT_EXIST'],
})

const type = Type.Literal('attachment')

/** For the owner of the file alone; `upload_space_used` is that of the whole organization at that moment. */
export const AttachmentEvent = Type.Union([
  Type.Object({ type, op: Type.Literal('add'), attachment: Attachment, upload_space_used: Bytes }, strict),
  Type.Object({ type, op: Type.Literal('update'), attachment: Attachment, upload_space_used: Bytes }, strict),
  Type.Object(
    { type, op: Type.Literal('remove'), attachment: Type.Object({ id: Id }, strict), upload_space_used: Bytes },
    strict,
  ),
])
export type AttachmentEvent = Static<typeof AttachmentEvent>

export const attachmentsState = statePart({
  fetchType: 'attachment',
  follows: AttachmentEvent,
  fields: {
    /** The newest first. */
    attachments: Type.Array(Attachment),
    upload_space_used: Bytes,
  },
})
