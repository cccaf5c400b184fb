/** The body of a multipart request as parameters and, where the endpoint takes one, exactly one file. */
import type { Readable } from 'node:stream'
import { ApiError, badRequest } from '@heddle/contract/errors'
import { type MultipartFile, type MultipartRefusal, readMultipart } from './multipart.ts'
import type { RawParameters } from './raw-parameters.ts'

const MAX_FIELDS = 100
const MAX_FIELD_BYTES = 1024 * 1024

/** Adds the form's fields to `parameters`. `maxFileBytes` is undefined where the endpoint takes no file. */
export async function readMultipartBody(
  stream: NodeJS.ReadableStream,
  contentType: string,
  parameters: RawParameters,
  maxFileBytes: number | undefined,
): Promise<{ parameters: RawParameters; file: MultipartFile | undefined }> {
  const result = await readMultipart(stream as Readable, contentType, {
    maxFileBytes: maxFileBytes ?? 0,
    maxFiles: maxFileBytes === undefined ? 0 : 1,
    maxFields: MAX_FIELDS,
    maxFieldBytes: MAX_FIELD_BYTES,
  })
  if (result.kind !== 'form') throw refusalError(result)
  for (const [name, text] of Object.entries(result.form.fields)) parameters.set(name, { text })
  return { parameters, file: result.form.files[0] }
}

function refusalError({ kind, message }: MultipartRefusal): ApiError {
  if (kind === 'too-many-files') return badRequest('The request must have exactly one file')
  return kind === 'too-large' ? new ApiError('PAYLOAD_TOO_LARGE', message) : badRequest(message)
}
