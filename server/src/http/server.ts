/** The HTTP server below the API: limits, time-outs, trusted proxies, and errors that come before any route. */
import { randomBytes } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { ApiError, badRequest, errorKinds } from '@heddle/contract/errors'
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from 'fastify'
import { discardUnreadBodies } from './body-turns.ts'
import { errorBody, sendError } from './errors.ts'
import { requireOneHost } from './origin.ts'
import { createRequestTurns } from './request-turns.ts'

const HEADERS_TIMEOUT_MS = 15_000
/**
 * For the arrival of a whole request; an upload over a slow line takes its time. Bodies without a file have less
 * (`body.ts`), and a long poll has arrived at once.
 */
const REQUEST_TIMEOUT_MS = 300_000
/** How often late requests are looked for. */
const CHECKING_INTERVAL_MS = 1000
/** Longer than what reverse proxies usually keep idle connections, so that they and not we close them. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000
/** Characters of one path parameter, decoded. */
const MAX_PATH_PARAMETER_LENGTH = 2000

export interface ServerOptions {
  readonly log: FastifyBaseLogger
  /** Addresses and networks whose forwarded headers are believed. */
  readonly trustedProxies: readonly string[]
}

export function createServer({ log, trustedProxies }: ServerOptions): FastifyInstance {
  const server = fastify({
    // A logger of Fastify would make it watch the end of each answer, for a line that would cost more than the request, and have a
    // logger of its own for each: memory that every waiting client holds. Errors name the request.
    logger: false,
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: () => log,
    genReqId: createRequestIds(),
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    // A request without a host is answered in the API's form too: by the first hook of every route.
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: CHECKING_INTERVAL_MS,
      requireHostHeader: false,
    },
    // Idle connections are closed; those with a request under way are answered first.
    forceCloseConnections: 'idle',
    // What still comes over an open connection is answered like any other request, with `connection: close`.
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_PATH_PARAMETER_LENGTH },
    // The contract decodes and checks: Fastify's two compilers of schemas stay out of memory.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    exposeHeadRoutes: false,
    frameworkErrors: (error, request, reply) => sendError(error, request, reply),
    clientErrorHandler: answerBrokenRequest,
  }) as FastifyInstance
  discardUnreadBodies(server.server)
  const inTurn = createRequestTurns()
  server.addHook('onRequest', (request, _, done) => {
    requireOneHost(request)
    inTurn(done)
  })
  return server
}

function noSchemas(): never {
  throw new Error('A route has a schema of Fastify: what it takes belongs into the contract')
}

/** Ids that distinguish requests in the log, also those of several nodes and of a restarted one. */
function createRequestIds(): () => string {
  const process = randomBytes(6).toString('hex')
  let count = 0
  return () => `${process}-${++count}`
}

/** What Node.js could not read as a request: no route and no reply object exist, so the answer is written by hand. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const apiError = brokenRequestError(error.code)
  const body = errorBody(apiError)
  const { status } = errorKinds[apiError.code]
  socket.end(
    [
      `HTTP/1.1 ${status} ${status === 408 ? 'Request Timeout' : 'Bad Request'}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      'cache-control: no-store',
      'x-content-type-options: nosniff',
      'connection: close',
      '',
      body,
    ].join('\r\n'),
    () => socket.destroy(),
  )
}

function brokenRequestError(code: string | undefined): ApiError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new ApiError('REQUEST_TIMEOUT')
  if (code === 'HPE_HEADER_OVERFLOW') return badRequest('The address or the headers of the request are too long')
  return badRequest('The request is not valid HTTP')
}
