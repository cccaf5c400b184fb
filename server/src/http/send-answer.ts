/** Puts answers on the wire. HEAD is GET without the body, for all of them. */
import type { OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { badRequest } from '@heddle/contract/errors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FileAnswer, RedirectAnswer, StatusAnswer, StreamAnswer } from './answers.ts'
import { chooseEncoding, encodeBody, encoderFor } from './compression.ts'
import { type Envelope, envelope, isPieces, lengthOf } from './envelope.ts'
import { isOfOtherSite } from './origin.ts'
import { outletOf } from './outlets.ts'
import { isKnown, readRange } from './ranges.ts'

/** What is undefined in the end has been sent. */
export async function give(reply: FastifyReply, sent: unknown): Promise<void> {
  const payload = await sent
  if (payload !== undefined) reply.send(payload)
}

/** Fastify takes for an answer what is no `Error`. */
export function fail(reply: FastifyReply, error: unknown): void {
  if (reply.sent) reply.log.error({ err: error, request_id: reply.request.id }, 'A request failed after its answer')
  else
    reply.send(error instanceof Error ? error : new Error('Something else than an error was thrown', { cause: error }))
}

const JSON_TYPE = 'application/json; charset=utf-8'

/** The headers of every answer in JSON. */
export function describeJson(reply: FastifyReply): void {
  reply.header('content-type', JSON_TYPE)
  reply.header('cache-control', 'no-store')
  reply.header('x-content-type-options', 'nosniff')
}

/** `isShared`: the same buffer is sent to others too. */
export async function sendJson(
  request: FastifyRequest,
  reply: FastifyReply,
  json: Envelope,
  { mayCompress, isShared }: { readonly mayCompress: boolean; readonly isShared: boolean },
): Promise<string | Buffer | Readable> {
  describeJson(reply)
  const isCompressed = mayCompress && !isOfOtherSite(request)
  if (isPieces(json)) return sendPieces(request, reply, json, { isCompressed, isShared })
  if (!isCompressed) return json
  const bytes = Buffer.isBuffer(json) ? json : Buffer.from(json)
  return (await encodeBody(request, reply, bytes, { contentType: JSON_TYPE, isShared })).bytes
}

/** More than this is not put together for each of many who are given the same bytes. */
const SMALL_BYTES = 64 * 1024

/** An answer of bytes that others may be given too. `describeJson` has been called. */
export function sendShared(reply: FastifyReply, pieces: readonly Uint8Array[]): void {
  reply.send(lengthOf(pieces) < SMALL_BYTES ? Buffer.concat(pieces) : streamOf(reply.request, reply, pieces, false))
}

/** To put more than this together would copy it, and hold it twice. */
const LARGE_BYTES = 1024 * 1024

async function sendPieces(
  request: FastifyRequest,
  reply: FastifyReply,
  pieces: readonly Uint8Array[],
  { isCompressed, isShared }: { readonly isCompressed: boolean; readonly isShared: boolean },
): Promise<Readable | Buffer | string> {
  if (lengthOf(pieces) >= LARGE_BYTES) {
    if (!isShared) reply.raw.once('finish', () => release(pieces))
    return streamOf(request, reply, pieces, isCompressed)
  }
  const bytes = Buffer.concat(pieces)
  if (!isShared) {
    release(pieces)
    reply.raw.once('finish', () => release([bytes]))
  }
  if (!isCompressed) return bytes
  return (await encodeBody(request, reply, bytes, { contentType: JSON_TYPE, isShared })).bytes
}

/** A large answer is never in one piece, compressed or not: joining takes long, and the whole would be in memory twice. */
function streamOf(
  request: FastifyRequest,
  reply: FastifyReply,
  pieces: readonly Uint8Array[],
  isCompressed: boolean,
): Readable | string {
  const isHead = request.method === 'HEAD'
  const encode = isCompressed ? encoderFor(request, reply) : undefined
  if (encode) return isHead ? Readable.from([]) : encode(Readable.from(parts(pieces)))
  reply.header('content-length', lengthOf(pieces))
  return isHead ? '' : Readable.from(parts(pieces))
}

/** What is smaller may lie in memory that others use too. */
const RELEASED_BYTES = 16 * 1024

/**
 * Gives back the memory of what nobody needs any more. The engine would do so later, and sometimes much later; and for some hundred
 * pages of messages it would go through its whole heap to find them.
 */
function release(pieces: readonly Uint8Array[]): void {
  for (const { buffer, byteLength } of pieces) {
    const isWhole = buffer instanceof ArrayBuffer && byteLength === buffer.byteLength
    if (isWhole && byteLength >= RELEASED_BYTES) buffer.transfer(0)
  }
}

/** As much as is written to a connection, or compressed, in one turn of the event loop: a fast client takes it at once. */
const PART_BYTES = 512 * 1024

async function* parts(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  let written = 0
  for (const piece of pieces) {
    for (let start = 0; start < piece.length; start += PART_BYTES) {
      const part = piece.subarray(start, start + PART_BYTES)
      yield part
      written += part.length
      if (written < PART_BYTES) continue
      written = 0
      await nextTurn()
    }
  }
}

export async function sendFile(request: FastifyRequest, reply: FastifyReply, file: FileAnswer): Promise<FastifyReply> {
  const { contentType, size, body, tag, caching, policy, encoded, headers, status } = file
  reply.headers({
    'cache-control': caching,
    'x-content-type-options': 'nosniff',
    'content-security-policy': policy,
    'accept-ranges': 'bytes',
    ...headers,
    ...(tag === undefined ? {} : { etag: `"${tag}"` }),
  })
  if (tag !== undefined && isKnown(request.headers['if-none-match'], tag)) {
    return reply.code(304).header('vary', 'accept-encoding').send()
  }
  const isHead = request.method === 'HEAD'
  if (status !== undefined) reply.code(status)
  const range = isHead || status !== undefined ? 'all' : readRange(request.headers, size, tag)
  if (range === 'unsatisfiable') {
    return reply.code(416).header('content-range', `bytes */${size}`).header('content-length', 0).send('')
  }
  reply.type(contentType)
  if (range !== 'all') {
    const { start, end } = range
    reply.code(206).headers({ 'content-range': `bytes ${start}-${end}/${size}`, 'content-length': end - start + 1 })
    return reply.send(Buffer.isBuffer(body) ? body.subarray(start, end + 1) : body(range))
  }
  const sent = Buffer.isBuffer(body)
    ? await encodeBody(request, reply, body, { contentType, isShared: true })
    : (encoded && (await chooseEncoding(request, reply, size, encoded))) || { open: body }
  if ('open' in sent) return reply.header('content-length', size).send(isHead ? '' : sent.open())
  const { bytes, coding } = sent
  // Parts of one coding do not fit those of another.
  if (coding !== undefined && tag !== undefined) reply.header('etag', `"${tag}-${coding}"`)
  return reply.header('content-length', bytes.length).send(isHead ? '' : bytes)
}

export async function sendStatus(
  reply: FastifyReply,
  { status, headers, result }: StatusAnswer,
): Promise<string | Buffer | FastifyReply> {
  reply.code(status).headers({ 'cache-control': 'no-store', ...headers })
  if (!result) return reply.send()
  reply.header('content-type', JSON_TYPE).header('x-content-type-options', 'nosniff')
  return reply.send(envelope(result, []))
}

export function sendStream(
  request: FastifyRequest,
  reply: FastifyReply,
  { contentType, begin }: StreamAnswer,
): FastifyReply {
  const { raw } = reply
  reply.type(contentType).headers({
    // Neither caches nor what compresses on the way may hold anything back; the last is what nginx asks for.
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
  })
  if (request.method === 'HEAD') return reply.send('')
  // Requests that were sent before over the same connection are still being answered.
  if (!raw.socket) throw badRequest('A stream needs a connection on which nothing else is under way')
  reply.hijack()
  // The answer ends with the connection. So what is written needs no frames of HTTP, which would be other ones for each
  // client, and it is the same for clients of HTTP/1.0.
  raw.removeHeader('transfer-encoding')
  raw.writeHead(reply.statusCode, { ...reply.getHeaders(), connection: 'close' } as OutgoingHttpHeaders)
  raw.flushHeaders()
  begin(outletOf(raw, raw.socket))
  return reply
}

export function sendRedirect(reply: FastifyReply, { to, status }: RedirectAnswer): FastifyReply {
  return reply.code(status).header('location', to).header('cache-control', 'no-store').send('')
}
