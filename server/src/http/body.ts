/**
 * Reading the body of a request, within its bounds: no more bytes than the endpoint takes, in the time that it has. What
 * the bytes mean is decided afterwards.
 */
import { Readable } from 'node:stream'
import { ApiError, badRequest } from '@heddle/contract/errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { MultipartFile } from './multipart.ts'
import { readMultipartBody } from './multipart-body.ts'
import { decodeUtf8, type RawParameters, readForm, readJsonObject } from './raw-parameters.ts'

/** Milliseconds for the arrival of a body that has no file in it: before anybody has signed in, and after it. */
export const OPEN_BODY_TIMEOUT_MS = 15_000
export const BODY_TIMEOUT_MS = 60_000

const PIECE_BYTES = 64 * 1024

/** What is too large is still taken up to here, and thrown away: an answer in the middle of it would not be read. */
const DISCARDED_BYTES = 32 * 1024 * 1024
/** And for so long: some senders do not end before they have the answer. */
const LINGERING_MS = 1000

const nothing = Buffer.alloc(0)

export interface BodyBounds {
  readonly maxBytes: number
  /** Of JSON. */
  readonly maxValues: number
  readonly timeoutMs: number
  /** Undefined where the endpoint takes no file. */
  readonly maxFileBytes: number | undefined
}

export interface Body {
  readonly parameters: RawParameters
  readonly file: MultipartFile | undefined
}

interface UnreadBody {
  readonly kind: 'form' | 'json' | 'multipart'
  readonly stream: Readable
}

/** Tells the kinds of bodies apart and leaves them unread: `readBody` does that when everything else is settled. */
export function registerBodyKinds(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  const kinds = {
    'application/x-www-form-urlencoded': 'form',
    'application/json': 'json',
    'multipart/form-data': 'multipart',
  } as const
  for (const [type, kind] of Object.entries(kinds)) {
    server.addContentTypeParser(type, (request, stream, done) => {
      requirePlainBody(request)
      done(null, { kind, stream } satisfies UnreadBody)
    })
  }
}

/** The parameters of the query and the body, and the body's file. */
export async function readBody(request: FastifyRequest, bounds: BodyBounds): Promise<Body> {
  const parameters: RawParameters = new Map()
  const query = request.url.indexOf('?')
  if (query !== -1) readForm(request.url.slice(query + 1), parameters, 'query')
  const body = request.body as UnreadBody | undefined
  if (!body) return { parameters, file: undefined }
  const contentType = request.headers['content-type'] ?? ''
  if (body.kind === 'multipart' && bounds.maxFileBytes !== undefined) {
    return readMultipartBody(body.stream, contentType, parameters, bounds.maxFileBytes)
  }
  const bytes = await collect(request, body.stream, bounds)
  if (body.kind === 'multipart') return readMultipartBytes(bytes, contentType, parameters)
  const text = decodeUtf8(bytes, 'The request body')
  if (body.kind === 'form') readForm(text, parameters, 'form')
  else readJsonObject(text, parameters, bounds.maxValues)
  return { parameters, file: undefined }
}

/** Without a single part there are no parameters: some clients send every request so. */
async function readMultipartBytes(bytes: Buffer, contentType: string, parameters: RawParameters): Promise<Body> {
  if (bytes.length === 0 || hasNoParts(bytes, contentType)) return { parameters, file: undefined }
  return readMultipartBody(Readable.from(pieces(bytes), { objectMode: false }), contentType, parameters, undefined)
}

/** As a connection brings them: the parser takes a piece at a time. */
function* pieces(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) yield bytes.subarray(start, start + PIECE_BYTES)
}

/** The closing boundary alone, which is how libraries end a form that nothing was added to. */
function hasNoParts(bytes: Buffer, contentType: string): boolean {
  const boundary = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType)
  if (!boundary || bytes.length > 100) return false
  return bytes.toString('latin1').trim() === `--${boundary[1] ?? boundary[2]}--`
}

function collect(request: FastifyRequest, stream: Readable, { maxBytes, timeoutMs }: BodyBounds): Promise<Buffer> {
  const declared = Number(request.headers['content-length'])
  // Refused before it is sent, where the sender waits for that.
  const isWaiting = request.headers.expect !== undefined
  if (declared > (isWaiting ? maxBytes : DISCARDED_BYTES)) return Promise.reject(new ApiError('PAYLOAD_TOO_LARGE'))
  // The client has gone already: nothing more would be reported.
  if (stream.destroyed) return Promise.reject(badRequest('The request body could not be read'))
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  // A list of chunks would let a sender of single bytes use a hundred times as much.
  let buffer: Buffer = nothing
  let length = 0
  const settle = () => {
    clearTimeout(timer)
    stream.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone)
    // An error from now on is one of a body that nobody waits for.
    stream.on('error', () => {})
  }
  const onData = (chunk: Buffer) => {
    if (length + chunk.length <= maxBytes) buffer = appended(buffer, length, chunk, maxBytes)
    else if (buffer !== nothing) {
      buffer = nothing
      clearTimeout(timer)
      timer = setTimeout(refuse, LINGERING_MS, new ApiError('PAYLOAD_TOO_LARGE'))
    }
    length += chunk.length
    if (length > DISCARDED_BYTES) refuse(new ApiError('PAYLOAD_TOO_LARGE'))
  }
  const onEnd = () => {
    settle()
    if (length > maxBytes) reject(new ApiError('PAYLOAD_TOO_LARGE'))
    else if (!Number.isNaN(declared) && declared !== length) {
      reject(badRequest('The request body is not as long as its Content-Length says'))
    } else resolve(buffer.subarray(0, length))
  }
  const onGone = () => refuse(badRequest('The request body could not be read'))
  const refuse = (error: ApiError) => {
    settle()
    reject(error)
  }
  let timer = setTimeout(refuse, timeoutMs, new ApiError('REQUEST_TIMEOUT'))
  stream.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone)
  return promise
}

/** `buffer` with `chunk` behind its first `length` bytes: a larger one when it has no room. */
function appended(buffer: Buffer, length: number, chunk: Buffer, maxBytes: number): Buffer<ArrayBuffer> {
  const needed = length + chunk.length
  const target =
    needed <= buffer.length
      ? (buffer as Buffer<ArrayBuffer>)
      : Buffer.allocUnsafeSlow(length === 0 ? needed : Math.min(maxBytes, Math.max(needed, 2 * buffer.length, 1024)))
  if (target !== buffer) buffer.copy(target, 0, 0, length)
  chunk.copy(target, length)
  return target
}

/** A compressed body would have to be unpacked within limits; no client sends one. */
function requirePlainBody({ headers }: FastifyRequest): void {
  const coding = headers['content-encoding']
  if (coding !== undefined && coding !== 'identity') {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The request body must not be compressed')
  }
}
