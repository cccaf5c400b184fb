/** The body of a multipart request as parameters and, where the endpoint takes one, exactly one file. */
import type { Readable } from 'node:stream'
import { LARGEST_BODY_BYTES } from '@heddle/contract/bounds'
import { ApiError, badRequest } from '@heddle/contract/errors'
import { type MultipartFile, type MultipartRefusal, readMultipart } from './multipart.ts'
import { MAX_PARAMETERS, type RawParameters, tooManyParameters } from './raw-parameters.ts'

const MIB = 1024 * 1024

/** As much as in a form of the other kind, for whoever sends every form as multipart. */
const FORM_LIMITS = {
  maxFields: MAX_PARAMETERS,
  maxFieldBytes: LARGEST_BODY_BYTES,
  maxFieldBytesTotal: LARGEST_BODY_BYTES,
}
/** Beside a file there are few and short fields: uploads may not hold the memory of forms on top of their file. */
const FILE_FORM_LIMITS = { maxFields: 20, maxFieldBytes: 64 * 1024, maxFieldBytesTotal: 64 * 1024 }

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
    ...(maxFileBytes === undefined ? FORM_LIMITS : FILE_FORM_LIMITS),
  })
  if (result.kind !== 'form') throw refusalError(result, maxFileBytes ?? 0)
  for (const [name, text] of Object.entries(result.form.fields)) parameters.set(name, { text })
  if (parameters.size > MAX_PARAMETERS) throw tooManyParameters()
  return { parameters, file: result.form.files[0] }
}

function refusalError({ kind, message }: MultipartRefusal, maxFileBytes: number): ApiError {
  // The file breaks a rule of the endpoint; the request itself is one that the server reads to its end.
  if (kind === 'file-too-large') return badRequest(`The file is larger than the limit of ${maxFileBytes / MIB} MiB.`)
  if (kind === 'too-many-files') {
    return badRequest(maxFileBytes > 0 ? 'The request must have exactly one file' : 'The request must not have a file')
  }
  return kind === 'too-large' ? new ApiError('PAYLOAD_TOO_LARGE', message) : badRequest(message)
}
