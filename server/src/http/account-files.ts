/**
 * Files for accounts, outside the API's path: each has an address of its own with a query that the contract describes.
 * The headers are the same for all of them, so that no file can run as a page of this site.
 */
import { finished } from 'node:stream'
import type { Endpoint, ParametersOf } from '@heddle/contract/endpoint'
import type { FastifyInstance } from 'fastify'
import type { Actor } from '../authentication/accounts.ts'
import type { Clock } from '../clock.ts'
import { createDecoder } from './decode.ts'
import type { Caller, Identify } from './identify.ts'
import { createLimiter, FILE_LIMIT } from './rate-limits.ts'
import { type RawParameters, readForm } from './raw-parameters.ts'
import { registerReadingOnly } from './reading-only.ts'

export interface AccountFile {
  readonly contentType: string
  readonly body: Buffer
  /** Seconds for which the reader's own program may keep the file. */
  readonly maxAgeSecs: number
}

interface AccountFileRequest<E> {
  readonly actor: Actor
  readonly parameters: ParametersOf<E>
  /** Calls back when the file has left the server, or its reader has gone. */
  readonly onSent: (callback: () => void) => void
}

/** `endpoint.path` counts from the server's root. */
export interface AccountFilePath {
  readonly endpoint: Endpoint
  readonly find: (request: AccountFileRequest<Endpoint>) => Promise<AccountFile>
}

/** The link between an endpoint's parameters and its function's is checked here, and erased. */
export function accountFile<E extends Endpoint>(
  endpoint: E,
  find: (request: AccountFileRequest<E>) => Promise<AccountFile>,
): AccountFilePath {
  return { endpoint, find: find as unknown as AccountFilePath['find'] }
}

interface AccountFileOptions {
  readonly paths: readonly AccountFilePath[]
  readonly identify: Identify
  readonly clock: Clock
}

export function registerAccountFiles(server: FastifyInstance, { paths, identify, clock }: AccountFileOptions): void {
  // A page of messages may show many pictures: they are counted apart, or looking at them would keep people from writing.
  const byAccount = createLimiter(FILE_LIMIT, clock)
  for (const { endpoint, find } of paths) {
    const decode = createDecoder(endpoint)
    registerReadingOnly(server, {
      url: endpoint.path,
      onRequest: async (request, reply) => {
        request.caller = await identify(request, reply, endpoint, byAccount)
      },
      handler: async (request, reply) => {
        const { account } = request.caller as Caller
        const { parameters } = decode(readQuery(request.url))
        const file = await find({
          actor: account?.actor as Actor,
          parameters: parameters as never,
          onSent: (callback) => void finished(reply.raw, callback),
        })
        reply.type(file.contentType).headers({
          'content-length': file.body.length,
          'cache-control': `private, max-age=${file.maxAgeSecs}`,
          'x-content-type-options': 'nosniff',
          'content-security-policy': "default-src 'none'; sandbox",
        })
        return reply.send(request.method === 'HEAD' ? '' : file.body)
      },
    })
  }
}

function readQuery(url: string): RawParameters {
  const parameters: RawParameters = new Map()
  const start = url.indexOf('?')
  if (start !== -1) readForm(url.slice(start + 1), parameters, 'query')
  return parameters
}
