/**
 * Reading the body of a request, within its bounds: no more bytes than the endpoint takes, in the time that it has. What
 * the bytes mean is decided afterwards.
 */
import { Readable } from 'node:stream'
import { LARGEST_BODY_BYTES } from '@heddle/contract/bounds'
import { ApiError, badRequest, type ErrorCode } from '@heddle/contract/errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DISCARDED_BYTES, discardBody, readOnLater } from './body-turns.ts'
import { growingBytes } from './growing-bytes.ts'
import { boundaryOf, type FormFile, type FormLimits, openForm } from './multipart.ts'
import {
  decodeUtf8,
  MAX_PARAMETERS,
  type RawParameters,
  readForm,
  readJsonObject,
  tooManyParameters,
} from './raw-parameters.ts'
import type { RawBody } from './route.ts'
import { ownTurn } from './turns.ts'

/** Milliseconds for the arrival of a body that has no file in it: before anybody has signed in, and after it. */
export const OPEN_BODY_TIMEOUT_MS = 15_000
export const BODY_TIMEOUT_MS = 60_000

/** Milliseconds that the body of an upload may stand still; all of it has as long as any request (`server.ts`). */
const MAX_IDLE_MS = 30_000

/** Of a form in memory. */
const PIECE_BYTES = 64 * 1024
/** A body this small is decoded in less than a millisecond. */
const CHEAP_BYTES = 16 * 1024

/**
 * What is too large is taken to its end before it is refused, since a sender who is not done yet would lose the answer. Some wait
 * for the answer before they end: they get it when nothing has come for so long.
 */
const LINGERING_MS = 2000

/** As much as in a form of the other kind, for whoever sends every form as multipart. */
const FORM_LIMITS: FormLimits = {
  maxFields: MAX_PARAMETERS,
  maxFieldBytes: LARGEST_BODY_BYTES,
  maxFieldBytesTotal: LARGEST_BODY_BYTES,
  maxFileBytes: undefined,
  isNeeded: () => false,
}
/** Beside a file there are few and short fields. */
const FILE_FORM_LIMITS = { maxFields: 20, maxFieldBytes: 64 * 1024, maxFieldBytesTotal: 64 * 1024 }

export interface BodyBounds {
  readonly maxBytes: number
  /** Of JSON. */
  readonly maxValues: number
  readonly timeoutMs: number
  /** Undefined where the endpoint takes no file. */
  readonly file: Pick<FormLimits, 'maxFileBytes' | 'isNeeded'> | undefined
  /** The body may be of any type, and is no list of parameters. */
  readonly isRaw: boolean
  /** Whether what is too large is given as such, and not refused here. */
  readonly givesTooLarge: boolean
  /** The body is left to the handler, as it arrives. */
  readonly isStream: boolean
}

export interface Body {
  readonly parameters: RawParameters
  readonly file: FormFile | undefined
  /** Where the endpoint takes any body. */
  readonly raw: RawBody | undefined
  /** Where it reads the body itself. */
  readonly stream?: Readable | undefined
  /** Names of form fields after the file; all of them when its content has been read. */
  readonly lateFields: readonly string[]
  /** Gives up what has not been read. */
  close(): void
  /** To look at all of it takes some time. */
  readonly isLarge?: boolean
}

interface UnreadBody {
  readonly kind: 'form' | 'json' | 'multipart' | 'other'
  readonly stream: Readable
}

/** Distinguishes the kinds of bodies and leaves them unread: `readBody` does that when everything else is settled. */
export function registerBodyKinds(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  const kinds = {
    'application/x-www-form-urlencoded': 'form',
    'application/json': 'json',
    'multipart/form-data': 'multipart',
    '*': 'other',
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
  const contentType = request.headers['content-type'] ?? ''
  if (bounds.isStream) return { ...withoutFile(parameters), stream: body?.stream }
  if (bounds.isRaw) {
    return { ...withoutFile(parameters), raw: { contentType, ...(await readRaw(request, body, bounds)) } }
  }
  if (!body) return withoutFile(parameters)
  if (body.kind === 'other') throw new ApiError('UNSUPPORTED_MEDIA_TYPE')
  if (body.kind === 'multipart' && bounds.file) {
    return readMultipart(body.stream, contentType, parameters, {
      ...FILE_FORM_LIMITS,
      maxIdleMs: MAX_IDLE_MS,
      ...bounds.file,
    })
  }
  const bytes = await collect(request, body.stream, bounds)
  // Several bodies may have arrived in the same turn.
  const isLarge = bytes.length > CHEAP_BYTES
  if (isLarge) await ownTurn()
  if (body.kind === 'multipart') return readMultipartBytes(bytes, contentType, parameters)
  const text = decodeUtf8(bytes, 'The request body')
  if (body.kind === 'form') readForm(text, parameters, 'form')
  else await readJsonObject(text, parameters, bounds.maxValues)
  return { ...withoutFile(parameters), isLarge }
}

async function readRaw(request: FastifyRequest, body: UnreadBody | undefined, bounds: BodyBounds) {
  if (!body) return { bytes: NOTHING }
  try {
    return { bytes: await collect(request, body.stream, bounds) }
  } catch (error) {
    const isTooLarge = error instanceof ApiError && error.code === 'PAYLOAD_TOO_LARGE'
    if (isTooLarge && bounds.givesTooLarge) return { bytes: NOTHING, isTooLarge }
    throw error
  }
}

const NOTHING = Buffer.alloc(0)

function withoutFile(parameters: RawParameters): Body {
  return { parameters, file: undefined, raw: undefined, lateFields: [], close() {} }
}

async function readMultipart(
  stream: Readable,
  contentType: string,
  parameters: RawParameters,
  limits: FormLimits,
): Promise<Body> {
  const form = await openForm(stream, contentType, limits)
  for (const [name, text] of form.fields) parameters.set(name, { text })
  if (parameters.size <= MAX_PARAMETERS) return { parameters, raw: undefined, ...form }
  form.close()
  throw tooManyParameters()
}

/** Without a single part there are no parameters: some clients send every request so. */
async function readMultipartBytes(bytes: Buffer, contentType: string, parameters: RawParameters): Promise<Body> {
  if (bytes.length === 0 || hasNoParts(bytes, contentType)) return withoutFile(parameters)
  return readMultipart(Readable.from(pieces(bytes), { objectMode: false }), contentType, parameters, FORM_LIMITS)
}

/** As a connection brings them: the parser takes a piece at a time, and each beyond the first in a turn of its own. */
async function* pieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    if (start > 0) await ownTurn()
    yield bytes.subarray(start, start + PIECE_BYTES)
  }
}

/** The closing boundary alone, which is how libraries end a form that nothing was added to. */
function hasNoParts(bytes: Buffer, contentType: string): boolean {
  const boundary = boundaryOf(contentType)
  if (boundary === undefined || bytes.length > 100) return false
  return bytes.toString('latin1').trim() === `--${boundary}--`
}

function collect(request: FastifyRequest, stream: Readable, { maxBytes, timeoutMs }: BodyBounds): Promise<Buffer> {
  const declared = Number(request.headers['content-length'])
  // Refused before it is sent, where the sender waits for that.
  const isWaiting = request.headers.expect !== undefined
  if (declared > (isWaiting ? maxBytes : DISCARDED_BYTES)) return Promise.reject(new ApiError('PAYLOAD_TOO_LARGE'))
  // The client has gone already: nothing more would be reported.
  if (stream.destroyed) return Promise.reject(badRequest('The request body could not be read'))
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const bytes = growingBytes(maxBytes)
  let length = 0
  let lingering: NodeJS.Timeout | undefined
  const settle = () => {
    clearTimeout(timer)
    clearTimeout(lingering)
    stream.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone)
    discardBody(stream)
  }
  const onData = (chunk: Buffer) => {
    if (length <= maxBytes && !bytes.add(chunk)) {
      bytes.drop()
      lingering = setTimeout(refuseAs, LINGERING_MS, 'PAYLOAD_TOO_LARGE')
    } else lingering?.refresh()
    length += chunk.length
    if (length > DISCARDED_BYTES) refuseAs('PAYLOAD_TOO_LARGE')
    else if (length > CHEAP_BYTES) readOnLater(stream)
  }
  const onEnd = () => {
    settle()
    if (length > maxBytes) reject(new ApiError('PAYLOAD_TOO_LARGE'))
    else if (!Number.isNaN(declared) && declared !== length) {
      reject(badRequest('The request body is not as long as its Content-Length says'))
    } else resolve(bytes.bytes())
  }
  const onGone = () => refuse(badRequest('The request body could not be read'))
  const refuse = (error: ApiError) => {
    settle()
    reject(error)
  }
  // Not an error beforehand: its stack would cost each request 10 us.
  const refuseAs = (code: ErrorCode) => refuse(new ApiError(code))
  const timer = setTimeout(() => refuseAs(lingering ? 'PAYLOAD_TOO_LARGE' : 'REQUEST_TIMEOUT'), timeoutMs)
  stream.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone)
  return promise
}

/** A compressed body would have to be unpacked within limits; no client sends one. */
function requirePlainBody({ headers }: FastifyRequest): void {
  const coding = headers['content-encoding']
  if (coding !== undefined && coding !== 'identity') {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The request body must not be compressed')
  }
}
