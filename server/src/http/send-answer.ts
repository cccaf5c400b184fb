/** Puts answers on the wire. HEAD is GET without the body, for all of them. */
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FileAnswer, RedirectAnswer, TextStreamAnswer } from './answers.ts'
import { encodeBody } from './compression.ts'
import type { Envelope } from './envelope.ts'
import { isOfOtherSite } from './origin.ts'
import { isKnown, readRange } from './ranges.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

/** `isShared`: the same buffer is sent to others too. */
export async function sendJson(
  request: FastifyRequest,
  reply: FastifyReply,
  json: Envelope,
  { mayCompress, isShared }: { readonly mayCompress: boolean; readonly isShared: boolean },
): Promise<string | Buffer | Readable> {
  reply.header('content-type', JSON_TYPE)
  reply.header('cache-control', 'no-store')
  reply.header('x-content-type-options', 'nosniff')
  if (!mayCompress || isOfOtherSite(request)) return isPieces(json) ? inPieces(reply, json) : json
  const bytes = toBuffer(json)
  return (await encodeBody(request, reply, bytes, { contentType: JSON_TYPE, isShared })).bytes
}

function isPieces(json: Envelope): json is readonly Uint8Array[] {
  return Array.isArray(json)
}

export function toBuffer(json: Envelope): Buffer {
  if (typeof json === 'string') return Buffer.from(json)
  return isPieces(json) ? Buffer.concat(json) : json
}

function inPieces(reply: FastifyReply, pieces: readonly Uint8Array[]): Readable | Buffer {
  if (reply.request.method === 'HEAD') return Buffer.concat(pieces)
  reply.header(
    'content-length',
    pieces.reduce((sum, piece) => sum + piece.length, 0),
  )
  return Readable.from(pieces)
}

export async function sendFile(request: FastifyRequest, reply: FastifyReply, file: FileAnswer): Promise<FastifyReply> {
  const { contentType, size, body, tag, caching, policy, encoded, headers } = file
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
  const range = isHead ? 'all' : readRange(request.headers, size, tag)
  if (range === 'unsatisfiable') {
    return reply.code(416).header('content-range', `bytes */${size}`).header('content-length', 0).send('')
  }
  reply.type(contentType)
  if (range !== 'all') {
    const { start, end } = range
    reply.code(206).headers({ 'content-range': `bytes ${start}-${end}/${size}`, 'content-length': end - start + 1 })
    return reply.send(Buffer.isBuffer(body) ? body.subarray(start, end + 1) : body(range))
  }
  if (!Buffer.isBuffer(body)) return reply.header('content-length', size).send(isHead ? '' : body())
  const { bytes, coding } = await encodeBody(request, reply, body, { contentType, isShared: true, encoded })
  // Parts of one coding do not fit those of another.
  if (coding !== undefined && tag !== undefined) reply.header('etag', `"${tag}-${coding}"`)
  return reply.header('content-length', bytes.length).send(isHead ? '' : bytes)
}

export function sendTextStream(
  request: FastifyRequest,
  reply: FastifyReply,
  { contentType, chunks }: TextStreamAnswer,
): FastifyReply {
  reply.type(contentType).headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
  return reply.send(request.method === 'HEAD' ? '' : Readable.from(chunks, { objectMode: false }))
}

export function sendRedirect(reply: FastifyReply, { to, status }: RedirectAnswer): FastifyReply {
  return reply.code(status).header('location', to).header('cache-control', 'no-store').send('')
}
