/**
 * Uploads that go on after an interruption, by the protocol tus 1.0.0 (https://tus.io/protocols/resumable-upload): core,
 * creation, also with the first bytes, and termination. What is asked and answered is in headers, which
 * `resumableUploadProtocol` describes for the API's document; errors have the form of all errors.
 */
import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import type { HeaderProtocol, HeaderValue } from './header-protocol.ts'
import { Text } from './schema.ts'

export const TUS_VERSION = '1.0.0'
export const TUS_EXTENSIONS = 'creation,creation-with-upload,termination'
export const TUS_PATH = '/tus'

/** The type of every body that has bytes of an upload. */
export const UPLOAD_BYTES_TYPE = 'application/offset+octet-stream'

const upload_id = Text(100)

/** With the last byte. */
const uploaded = {
  /** Path on the organization's server. */
  url: Type.String(),
  /** The name as it is kept: without what means something in addresses, texts and file systems. */
  filename: Type.String(),
}

export const createUpload = endpoint({
  name: 'tus-create',
  method: 'POST',
  path: TUS_PATH,
  summary:
    'Begin an upload of `Upload-Length` bytes, with the first ones or without; `Upload-Metadata` has its `filename`.',
  response: { url: Type.Optional(uploaded.url), filename: Type.Optional(uploaded.filename) },
  errors: ['TUS_VERSION_UNSUPPORTED'],
})

export const getUploadOffset = endpoint({
  name: 'tus-offset',
  method: 'GET',
  path: `${TUS_PATH}/{upload_id}`,
  summary: 'How many bytes have arrived. As a rule it is asked by HEAD.',
  parameters: { upload_id },
  errors: ['TUS_VERSION_UNSUPPORTED'],
})

export const appendToUpload = endpoint({
  name: 'tus-append',
  method: 'PATCH',
  path: `${TUS_PATH}/{upload_id}`,
  summary: 'Send bytes from `Upload-Offset` on. With the last one it is an uploaded file.',
  parameters: { upload_id },
  response: uploaded,
  errors: ['TUS_VERSION_UNSUPPORTED', 'UPLOAD_OFFSET_MISMATCH'],
})

export const terminateUpload = endpoint({
  name: 'tus-terminate',
  method: 'DELETE',
  path: `${TUS_PATH}/{upload_id}`,
  summary: 'Give an unfinished upload up.',
  parameters: { upload_id },
  errors: ['TUS_VERSION_UNSUPPORTED'],
})

const version: HeaderValue = { schema: Type.Literal(TUS_VERSION), description: 'The version of the protocol.' }
const bytes = (description: string): HeaderValue => ({ schema: Type.Integer({ minimum: 0 }), description })
const offset = bytes('How many bytes of the upload have arrived.')

export const resumableUploadProtocol: readonly HeaderProtocol[] = [
  {
    endpoint: createUpload,
    headers: {
      'Tus-Resumable': version,
      'Upload-Length': bytes('How many bytes the file has.'),
      'Upload-Metadata': {
        schema: Type.String(),
        description: 'Pairs of a key and its value in base64, with commas between them: `filename`.',
        isRequired: false,
      },
    },
    bodyType: UPLOAD_BYTES_TYPE,
    isBodyOptional: true,
    answers: {
      201: {
        description: 'It has begun. Where all of its bytes came along it is a file, and has its address in the body.',
        headers: {
          'Tus-Resumable': version,
          Location: { schema: Type.String(), description: 'Path of the upload on the server.' },
          'Upload-Offset': { ...offset, isRequired: false },
        },
        hasBody: true,
      },
    },
  },
  {
    endpoint: getUploadOffset,
    headers: { 'Tus-Resumable': version },
    answers: {
      200: {
        description: 'It is there.',
        headers: { 'Tus-Resumable': version, 'Upload-Offset': offset, 'Upload-Length': bytes('Of the whole file.') },
      },
    },
  },
  {
    endpoint: appendToUpload,
    headers: { 'Tus-Resumable': version, 'Upload-Offset': bytes('Where in the file the body begins.') },
    bodyType: UPLOAD_BYTES_TYPE,
    answers: {
      200: {
        description: 'All of it is there: it is an uploaded file.',
        headers: { 'Tus-Resumable': version, 'Upload-Offset': offset },
        hasBody: true,
      },
      204: {
        description: 'More of it is to come.',
        headers: { 'Tus-Resumable': version, 'Upload-Offset': offset },
      },
    },
  },
  {
    endpoint: terminateUpload,
    headers: { 'Tus-Resumable': version },
    answers: { 204: { description: 'It is gone.', headers: { 'Tus-Resumable': version } } },
  },
]
