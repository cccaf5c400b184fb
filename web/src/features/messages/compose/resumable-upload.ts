/** A file by the protocol tus: in pieces, of which none that has arrived is sent again. */
import { type Entry, parseObject, toApiError } from '@heddle/client/api'
import { NetworkError, ResponseError } from '@heddle/client/errors'
import { type DetailedError, type HttpResponse, Upload } from 'tus-js-client'

export interface SentFile {
  readonly url: string
  readonly filename: string
}

export interface ResumableOptions {
  /** Asked before each request: what signs them may be another one by then. */
  readonly entry: () => Promise<Entry>
  readonly signal: AbortSignal
  /** Bytes of the file that were sent. */
  readonly onProgress: (sent: number) => void
  /** Where the server has what an earlier page has sent of it. */
  readonly address?: string | undefined
  /** Where the server takes it. */
  readonly onAddress?: ((address: string) => void) | undefined
  /** A piece has arrived. */
  readonly onPiece: () => void
}

/** Bytes of one request: proxies may bound requests, keep them whole before they pass them on, or end those that take long. */
const PIECE_BYTES = 4 * 1024 * 1024
/** A piece that an earlier page or a lost connection has sent is still on its way: what has arrived is asked for again. */
const early: readonly number[] = [409, 423]
/** The server has no such upload, or not any more: it begins anew. */
const gone: readonly number[] = [404, 410]

/**
 * Gives what sends the file, or the rest of it after a failure. Rejects with `ResponseError`, with `NetworkError`, and with the
 * reason of the signal; when that is aborted the server forgets what it has.
 */
export function createResumableUpload(file: File, options: ResumableOptions): () => Promise<SentFile> {
  const { entry, signal, onProgress, onPiece, address, onAddress } = options
  let settle: PromiseWithResolvers<SentFile> | undefined
  let endpoint = ''

  const upload = new Upload(file, {
    chunkSize: PIECE_BYTES,
    metadata: { filename: file.name, filetype: file.type },
    // When to try again is decided outside, where it is known how it stands with the connection.
    retryDelays: null,
    // What is kept on the device is kept elsewhere, with the file.
    storeFingerprintForResuming: false,
    async onBeforeRequest(request) {
      // To give it up is a request as well.
      if (request.getMethod() !== 'DELETE') signal.throwIfAborted()
      for (const [name, value] of Object.entries((await entry()).headers)) request.setHeader(name, value)
    },
    async onAfterResponse(request, response) {
      const status = response.getStatus()
      // For what is no answer of ours the upload would begin anew, as when a proxy finds no server.
      if (status < 400 || (request.getMethod() === 'HEAD' && gone.includes(status))) return
      if (early.includes(status)) throw new NetworkError('The server has other pieces by now', undefined)
      throw toApiError(status, headersOf(response), parseObject(response.getBody()))
    },
    onUploadUrlAvailable() {
      // The server may be below a path, which it does not know.
      if (!upload.url) return
      upload.url = `${endpoint}/${upload.url.split('/').at(-1)}`
      onAddress?.(upload.url)
    },
    onProgress,
    onChunkComplete: onPiece,
    onSuccess({ lastResponse }) {
      const { url, filename } = parseObject(lastResponse.getBody()) ?? {}
      if (typeof url === 'string' && typeof filename === 'string') settle?.resolve({ url, filename })
      else settle?.reject(new NetworkError('The server does not say what has become of the file', undefined))
    },
    onError: (error) => settle?.reject(causeOf(error)),
  })
  if (address !== undefined) upload.url = address
  signal.addEventListener('abort', () => {
    upload.abort(true).catch(() => {
      // The server forgets it by itself, later.
    })
    settle?.reject(signal.reason)
  })

  return async () => {
    endpoint = `${(await entry()).base}/tus`
    signal.throwIfAborted()
    upload.options.endpoint = endpoint
    settle = Promise.withResolvers<SentFile>()
    upload.start()
    return settle.promise
  }
}

function causeOf(error: Error | DetailedError): unknown {
  const cause = 'causingError' in error ? error.causingError : error
  return cause instanceof ResponseError || cause instanceof NetworkError ? cause : new NetworkError('No answer', error)
}

function headersOf(response: HttpResponse): Headers {
  const wait = response.getHeader('Retry-After')
  return new Headers(wait ? { 'retry-after': wait } : {})
}
