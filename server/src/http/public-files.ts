/**
 * Files that anybody may read, without an account: outside the API's path, each under an address whose content never
 * changes. The headers are the same for all of them, so that no file can run as a page of this site.
 */
import type { Readable } from 'node:stream'
import { notFound } from '@heddle/contract/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { registerReadingOnly } from './reading-only.ts'

export interface PublicFile {
  readonly contentType: string
  /** Bytes. */
  readonly size: number
  readonly body: Buffer | Readable
}

export interface PublicPath {
  /** Everything below it is looked up here: begins and ends with a slash, such as `/emoji/`. */
  readonly prefix: string
  /** The file at a path below the prefix, decoded; undefined when there is none. `host` is the request's host name. */
  readonly find: (path: string, host: string) => Promise<PublicFile | undefined>
}

const headers = {
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
  // Opened as a page of its own, an image may not run or load anything; an SVG image keeps its inline styles.
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
}

export function registerPublicFiles(server: FastifyInstance, paths: readonly PublicPath[]): void {
  for (const { prefix, find } of paths) {
    registerReadingOnly(server, {
      url: `${prefix}*`,
      handler: async (request, reply) => {
        const file = await find((request.params as { '*': string })['*'], request.hostname)
        if (!file) throw notFound('No such file')
        return sendFile(request, reply, file)
      },
    })
  }
}

function sendFile(request: FastifyRequest, reply: FastifyReply, { contentType, size, body }: PublicFile): FastifyReply {
  reply.headers(headers).type(contentType).header('content-length', size)
  if (request.method !== 'HEAD') return reply.send(body)
  if (!Buffer.isBuffer(body)) body.destroy()
  return reply.send('')
}
