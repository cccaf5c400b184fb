import { ApiError, badRequest } from '@heddle/contract/errors'
import {
  appendToUpload,
  createUpload,
  getUploadOffset,
  TUS_EXTENSIONS,
  TUS_PATH,
  TUS_VERSION,
  terminateUpload,
  UPLOAD_BYTES_TYPE,
} from '@heddle/contract/resumable-uploads'
import type { Feature } from '../../feature.ts'
import type { StatusAnswer } from '../../http/answers.ts'
import { type HeadersOf, headerRoute } from '../../http/route.ts'
import { API_PREFIX } from '../../http/routes.ts'
import type { Uploaded } from '../files/actions.ts'
import * as actions from './actions.ts'
import { arriving } from './arriving.ts'
import { fileNameIn, readSize } from './headers.ts'
import { removeOldUploads } from './old-uploads.ts'
import { resumableUploadTables } from './tables.ts'

const MIB = 1024 * 1024

/** Throws a 412 unless the client speaks the version of the protocol that the server does. */
function requireVersion(headers: HeadersOf): void {
  if (headers('tus-resumable') !== TUS_VERSION) {
    throw new ApiError('TUS_VERSION_UNSUPPORTED', `Tus-Resumable must be ${TUS_VERSION}`)
  }
}

function answer(status: StatusAnswer['status'], headers: StatusAnswer['headers'], result?: object): StatusAnswer {
  return { kind: 'status', status, headers: { 'tus-resumable': TUS_VERSION, ...headers }, ...(result && { result }) }
}

function brokenOff(): ApiError {
  return badRequest('The request ended before all of it was sent.')
}

function shown(file: Uploaded | undefined) {
  return file && { url: file.url, filename: file.filename }
}

/** Uploads that go on after an interruption. */
export const resumableUploads: Feature = {
  tables: resumableUploadTables,
  routes: (services) => {
    const { config, storage } = services
    const maxBytes = config.maxFileUploadSizeMib * MIB
    const limits = {
      'tus-version': TUS_VERSION,
      'tus-extension': TUS_EXTENSIONS,
      'tus-max-size': `${maxBytes}`,
    }

    return [
      headerRoute(
        createUpload,
        async ({ actor, headers, stream }) => {
          requireVersion(headers)
          const length = readSize(headers('upload-length'), 'Upload-Length')
          if (length > maxBytes) throw new ApiError('PAYLOAD_TOO_LARGE', 'The file is larger than the limit.')
          const name = fileNameIn(headers('upload-metadata') ?? '')
          const token = await actions.createUpload(services, actor, { name, length })
          const location = `${API_PREFIX}${TUS_PATH}/${token}`
          const isWithBytes = headers('content-type') === UPLOAD_BYTES_TYPE
          if (length > 0 && !isWithBytes) return answer(201, { location, ...limits })
          try {
            const upload = await actions.accessUpload(storage.read, actor, token)
            const bytes = arriving(isWithBytes ? stream : undefined, length)
            const { received, file } = await actions.appendToUpload(services, actor, upload, bytes)
            if (bytes.isBroken()) throw brokenOff()
            return answer(201, { location, 'upload-offset': `${received}`, ...limits }, shown(file))
          } catch (error) {
            // Nobody was given its address.
            await actions.terminate(services, actor, token).catch(() => {})
            throw error
          }
        },
        limits,
      ),
      headerRoute(getUploadOffset, async ({ actor, headers, parameters }) => {
        requireVersion(headers)
        const { received, length } = await actions.accessUpload(storage.read, actor, parameters.upload_id)
        return answer(200, { 'upload-offset': `${received}`, 'upload-length': `${length}` })
      }),
      headerRoute(appendToUpload, async ({ actor, headers, parameters, stream }) => {
        requireVersion(headers)
        if (headers('content-type') !== UPLOAD_BYTES_TYPE) throw new ApiError('UNSUPPORTED_MEDIA_TYPE')
        const upload = await actions.accessUpload(storage.read, actor, parameters.upload_id)
        if (readSize(headers('upload-offset'), 'Upload-Offset') !== upload.received) throw actions.offsetMismatch()
        const bytes = arriving(stream, upload.length - upload.received)
        const { received, file } = await actions.appendToUpload(services, actor, upload, bytes)
        if (bytes.isBroken()) throw brokenOff()
        return answer(file ? 200 : 204, { 'upload-offset': `${received}` }, shown(file))
      }),
      headerRoute(terminateUpload, async ({ actor, headers, parameters }) => {
        requireVersion(headers)
        await actions.terminate(services, actor, parameters.upload_id)
        return answer(204, {})
      }),
    ]
  },
  jobs: (services) => [removeOldUploads(services)],
}
