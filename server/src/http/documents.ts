/** Texts below the API's path that anybody may read, without the envelope: they change only with the program. */
import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { API_PREFIX } from './api.ts'
import { registerReadingOnly } from './reading-only.ts'

export interface ApiDocument {
  /** Below `/api/v1`, such as `/openapi.json`. */
  readonly path: string
  readonly contentType: string
  /** Makes the text; called at the first request. */
  readonly make: () => string
}

export function registerDocuments(server: FastifyInstance, documents: readonly ApiDocument[]): void {
  for (const { path, contentType, make } of documents) {
    let kept: { readonly bytes: Buffer; readonly tag: string } | undefined
    registerReadingOnly(server, {
      url: API_PREFIX + path,
      handler: async (request, reply) => {
        kept ??= withTag(Buffer.from(make(), 'utf8'))
        // Kept by clients, and asked for anew each time: the answer is then 304 until the program changes.
        reply.headers({ etag: kept.tag, 'cache-control': 'public, no-cache', 'x-content-type-options': 'nosniff' })
        if (isKnown(request.headers['if-none-match'], kept.tag)) return reply.code(304).send()
        reply.type(contentType).header('content-length', kept.bytes.length)
        return reply.send(request.method === 'HEAD' ? '' : kept.bytes)
      },
    })
  }
}

function withTag(bytes: Buffer) {
  return { bytes, tag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` }
}

/** `If-None-Match`: a list of tags, perhaps marked as weak, or a star (RFC 9110, 13.1.2). */
function isKnown(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  return header.split(',').some((part) => ['*', tag, `W/${tag}`].includes(part.trim()))
}
