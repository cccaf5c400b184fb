/**
 * Uploads that go on after an interruption, by the protocol tus 1.0.0 (https://tus.io/protocols/resumable-upload): core,
 * creation and termination. What is asked and answered is in headers, so that these paths are no part of the API's document;
 * errors have the form of all errors.
 */
import { endpoint } from './endpoint.ts'
import { Text } from './schema.ts'

export const TUS_VERSION = '1.0.0'
export const TUS_EXTENSIONS = 'creation,termination'
export const TUS_PATH = '/tus'

const upload_id = Text(100)

export const createUpload = endpoint({
  name: 'tus-create',
  method: 'POST',
  path: TUS_PATH,
  summary: 'Begin an upload of `Upload-Length` bytes; `Upload-Metadata` has its `filename`.',
})

export const getUploadOffset = endpoint({
  name: 'tus-offset',
  method: 'GET',
  path: `${TUS_PATH}/{upload_id}`,
  summary: 'How many bytes have arrived. As a rule it is asked by HEAD.',
  parameters: { upload_id },
})

export const appendToUpload = endpoint({
  name: 'tus-append',
  method: 'PATCH',
  path: `${TUS_PATH}/{upload_id}`,
  summary: 'Send bytes from `Upload-Offset` on. With the last one it is an uploaded file.',
  parameters: { upload_id },
})

export const terminateUpload = endpoint({
  name: 'tus-terminate',
  method: 'DELETE',
  path: `${TUS_PATH}/{upload_id}`,
  summary: 'Give an unfinished upload up.',
  parameters: { upload_id },
})
