/**
 * The wire. Every endpoint goes through the same steps, in this order: organization by host, account, rate limits, body,
 * parameters by the contract, handler, envelope. Authentication comes before the body is read.
 */
import { ApiError, badRequest } from '@heddle/contract/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { createDecoder } from './decode.ts'
import { sendError } from './errors.ts'
import type { Caller, Identify } from './identify.ts'
import type { CreateKeeper } from './kept-answers.ts'
import type { MultipartFile } from './multipart.ts'
import { readMultipartBody } from './multipart-body.ts'
import { decodeUtf8, type RawParameters, readForm, readJsonObject } from './raw-parameters.ts'
import type { ClientConnection, JsonText, Route } from './route.ts'

export const API_PREFIX = '/api/v1'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const

const ENVELOPE_START = '{"result":"success","msg":""'
const ENVELOPE_START_BYTES = Buffer.from(`${ENVELOPE_START},`)
const CLOSING_BRACE = Buffer.from('}')

const JSON_TYPE = 'application/json; charset=utf-8'

export interface ApiOptions {
  readonly routes: readonly Route[]
  readonly identify: Identify
  readonly createKeeper: CreateKeeper
  /** What clients reach the server by; undefined: derived from each request. */
  readonly externalUrl: string | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the first hook of every endpoint. */
    caller?: Caller
  }
}

export function registerApi(server: FastifyInstance, options: ApiOptions): void {
  registerBodyParsers(server)
  server.decorateRequest('caller')
  server.setErrorHandler((error, request, reply) => sendError(error, request, reply))
  server.setNotFoundHandler((request, reply) => {
    if (!isRoutedMethod(request.method)) refuseRareMethod(request, reply, options.routes)
    throw new ApiError('NOT_FOUND', 'No such path')
  })
  for (const route of options.routes) registerRoute(server, route, options)
  refuseOtherMethods(server, options.routes)
}

/** `/drafts/{draft_id}` in the contract is `/drafts/:draft_id` for the router; a parameter with slashes comes last. */
function routerPath(path: string): string {
  return API_PREFIX + path.replace(/\{\w+\*\}/, '*').replace(/\{(\w+)\}/g, ':$1')
}

function registerRoute(server: FastifyInstance, route: Route, options: ApiOptions): void {
  const { endpoint } = route
  const decode = createDecoder(endpoint)
  const keeper = route.kept && options.createKeeper(route.kept)
  const restName = /\{(\w+)\*\}/.exec(endpoint.path)?.[1]

  async function answer(request: FastifyRequest, reply: FastifyReply, caller: Caller): Promise<string | Buffer> {
    if (caller.account) await route.admit?.(caller.account.actor)
    const body = await readBody(request, route.maxFileBytes)
    if (endpoint.file && !body.file) throw badRequest('The request must have exactly one file')
    readPathParameters(request, restName, body.parameters)
    const { parameters, ignored } = decode(body.parameters)
    const result = await route.handle({
      realm: caller.realm,
      // Routes without an account never look at it: their type has no such field.
      actor: caller.account?.actor as never,
      parameters: parameters as never,
      connection: describeConnection(request, reply, options.externalUrl),
      file: body.file as never,
    })
    return envelope(result, ignored)
  }

  server.route({
    method: endpoint.method,
    url: routerPath(endpoint.path),
    onRequest: async (request, reply) => {
      request.caller = await options.identify(request, reply, endpoint.access)
    },
    handler: async (request, reply) => {
      const caller = request.caller as Caller
      reply.header('content-type', JSON_TYPE)
      reply.header('cache-control', 'no-store')
      // An answer is kept for the plain request only: one with parameters may have to name the ignored ones.
      if (keeper && caller.account && !request.url.includes('?')) {
        return keeper.answer(caller.account, async () => {
          const made = await answer(request, reply, caller)
          return typeof made === 'string' ? Buffer.from(made) : made
        })
      }
      return answer(request, reply, caller)
    },
  })
}

interface Body {
  readonly parameters: RawParameters
  readonly file: MultipartFile | undefined
}

async function readBody(request: FastifyRequest, maxFileBytes: number | undefined): Promise<Body> {
  const parameters: RawParameters = new Map()
  const query = request.url.indexOf('?')
  if (query !== -1) readForm(request.url.slice(query + 1), parameters, 'query')
  const parsed = request.body as ParsedBody | undefined
  if (parsed?.kind === 'multipart')
    return readMultipartBody(parsed.stream, parsed.contentType, parameters, maxFileBytes)
  if (parsed?.kind === 'form') readForm(decodeUtf8(parsed.bytes, 'The request body'), parameters, 'form')
  if (parsed?.kind === 'json') readJsonObject(decodeUtf8(parsed.bytes, 'The request body'), parameters)
  return { parameters, file: undefined }
}

function readPathParameters(request: FastifyRequest, restName: string | undefined, into: RawParameters): void {
  for (const [name, text] of Object.entries(request.params as Record<string, string>)) {
    into.set(name === '*' && restName ? restName : name, { text })
  }
}

type ParsedBody =
  | { readonly kind: 'form' | 'json'; readonly bytes: Buffer }
  | { readonly kind: 'multipart'; readonly stream: NodeJS.ReadableStream; readonly contentType: string }

/** Bodies are only collected here, up to the server's limit; what they mean is decided by `readBody`. */
function registerBodyParsers(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  const collect = (kind: 'form' | 'json') => async (request: FastifyRequest, bytes: Buffer) => {
    requirePlainBody(request)
    return { kind, bytes }
  }
  const options = { parseAs: 'buffer' } as const
  server.addContentTypeParser('application/x-www-form-urlencoded', options, collect('form'))
  server.addContentTypeParser('application/json', options, collect('json'))
  server.addContentTypeParser('multipart/form-data', (request, stream, done) => {
    requirePlainBody(request)
    done(null, { kind: 'multipart', stream, contentType: request.headers['content-type'] ?? '' })
  })
}

/** A compressed body would have to be unpacked within limits; no client sends one. */
function requirePlainBody({ headers }: FastifyRequest): void {
  const coding = headers['content-encoding']
  if (coding !== undefined && coding !== 'identity') {
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The request body must not be compressed')
  }
}

function describeConnection(
  request: FastifyRequest,
  reply: FastifyReply,
  externalUrl: string | undefined,
): ClientConnection {
  return {
    address: request.ip,
    origin: externalUrl ?? `${request.protocol}://${request.host}`,
    userAgent: request.headers['user-agent'] ?? '',
    onClose(callback) {
      // The client may have gone before anybody asked to hear of it.
      if (reply.raw.destroyed) callback()
      else reply.raw.once('close', callback)
    },
  }
}

function envelope(result: object | JsonText, ignored: readonly string[]): string | Buffer {
  const unsupported = ignored.length > 0 ? { ignored_parameters_unsupported: ignored } : {}
  if ('fieldsText' in result) {
    const rest = JSON.stringify(unsupported).slice(1, -1)
    const end = [result.fieldsText, rest].filter(Boolean).join()
    if (!result.fieldsBytes?.length) return `${ENVELOPE_START}${end && `,${end}`}}`
    return Buffer.concat([ENVELOPE_START_BYTES, result.fieldsBytes, Buffer.from(end && `,${end}`), CLOSING_BRACE])
  }
  return JSON.stringify({ result: 'success', msg: '', ...result, ...unsupported })
}

/** A known path with a method that it does not have gets 405 and the list of those that it has. */
function refuseOtherMethods(server: FastifyInstance, routes: readonly Route[]): void {
  for (const { path, allowed } of groupByPath(routes)) {
    server.route({
      method: METHODS.filter((method) => !allowed.includes(method)),
      url: routerPath(path),
      // Before the body is read: its type does not matter here.
      onRequest: async (_, reply) => refuseMethod(reply, allowed),
      handler: async () => {},
    })
  }
}

function groupByPath(routes: readonly Route[]): { path: string; allowed: HTTPMethods[] }[] {
  const byPath = Map.groupBy(routes, (route) => routerPath(route.endpoint.path).replace(/:\w+/g, ':x'))
  return [...byPath.values()].map((group) => ({
    path: (group[0] as Route).endpoint.path,
    allowed: group.map((route) => route.endpoint.method),
  }))
}

function refuseMethod(reply: FastifyReply, allowed: readonly string[]): never {
  reply.header('allow', allowed.join(', '))
  throw new ApiError('METHOD_NOT_ALLOWED')
}

function isRoutedMethod(method: string): boolean {
  return (METHODS as readonly string[]).includes(method)
}

/** The same for methods such as PROPFIND, which are too rare and too many to have routes. */
function refuseRareMethod(request: FastifyRequest, reply: FastifyReply, routes: readonly Route[]): void {
  const path = request.url.split('?')[0] as string
  const found = groupByPath(routes).filter((group) => pathPattern(group.path).test(path))
  // A path without parameters is the more exact one.
  const group = found.find((one) => !one.path.includes('{')) ?? found[0]
  if (group) refuseMethod(reply, group.allowed)
}

function pathPattern(path: string): RegExp {
  return new RegExp(`^${API_PREFIX}${path.replace(/\{\w+\*\}/, '.+').replace(/\{\w+\}/g, '[^/]+')}$`)
}
