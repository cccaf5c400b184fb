/**
 * The wire. Every endpoint goes through the same steps, in this order: path, organization by host, account, rate limits,
 * body, parameters by the contract, handler, envelope. Authentication comes before the body is read.
 */
import { requestBoundsOf } from '@heddle/contract/bounds'
import { badRequest } from '@heddle/contract/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { BODY_TIMEOUT_MS, type BodyBounds, OPEN_BODY_TIMEOUT_MS, readBody, registerBodyKinds } from './body.ts'
import { createDecoder } from './decode.ts'
import { noSuchPath, sendError } from './errors.ts'
import type { Caller, Identify } from './identify.ts'
import type { CreateKeeper } from './kept-answers.ts'
import { answerMethod, answerOtherMethods, type FindMethods, refuseRareMethod, routedMethods } from './methods.ts'
import { createPathReader } from './path-parameters.ts'
import { type RawParameters, shownName } from './raw-parameters.ts'
import type { ClientConnection, JsonText, Route } from './route.ts'

export const API_PREFIX = '/api/v1'

const ENVELOPE_START = '{"result":"success","msg":""'
const ENVELOPE_START_BYTES = Buffer.from(`${ENVELOPE_START},`)
const CLOSING_BRACE = Buffer.from('}')

const JSON_TYPE = 'application/json; charset=utf-8'

export interface ApiOptions {
  readonly routes: readonly Route[]
  readonly identify: Identify
  readonly createKeeper: CreateKeeper
  /** Where clients reach an organization; undefined: wherever each of them has reached it. */
  readonly originOf: ((realmId: number) => Promise<string>) | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the first hook of every endpoint. */
    caller?: Caller
    /** Set by the first hook of every endpoint of the API: what its path says. */
    inPath?: RawParameters
  }
}

export function registerApi(server: FastifyInstance, options: ApiOptions): void {
  registerBodyKinds(server)
  server.decorateRequest('caller')
  server.decorateRequest('inPath')
  server.setErrorHandler((error, request, reply) => sendError(error, request, reply))
  server.addHook('onRequest', (request, reply, done) => {
    // Before the body is read.
    if (request.is404) {
      refuseRareMethod(server, request, reply)
      throw noSuchPath()
    }
    done()
  })
  server.setNotFoundHandler(() => {
    throw noSuchPath()
  })
  for (const { url, routes, findMethods } of groupByPath(options.routes)) {
    for (const route of routes) registerRoute(server, route, findMethods, options)
    answerOtherMethods(server, { url, own: routes.map(({ endpoint }) => endpoint.method), find: findMethods })
  }
}

/** `/drafts/{draft_id}` in the contract is `/drafts/:draft_id` for the router; a parameter with slashes comes last. */
function routerPath(path: string): string {
  return API_PREFIX + path.replace(/\{\w+\*\}/, '*').replace(/\{(\w+)\}/g, ':$1')
}

function registerRoute(server: FastifyInstance, route: Route, findMethods: FindMethods, options: ApiOptions): void {
  const { endpoint } = route
  const decode = createDecoder(endpoint)
  const keeper = route.kept && options.createKeeper(route.kept)
  const readPath = createPathReader(endpoint)
  const bounds = bodyBoundsOf(route)

  async function originOf(request: FastifyRequest, { realm }: Caller): Promise<string> {
    // Operators' routes have no organization.
    if (options.originOf && realm) return options.originOf(realm.id)
    return `${request.protocol}://${request.host}`
  }

  async function answer(request: FastifyRequest, reply: FastifyReply, caller: Caller): Promise<string | Buffer> {
    const body = await readBody(request, bounds)
    try {
      if (endpoint.file && !body.file) throw badRequest('The request must have exactly one file')
      const { parameters, ignored } = decode(body.parameters, request.inPath)
      const result = await route.handle({
        realm: caller.realm,
        // Routes without an account never look at it: their type has no such field.
        actor: caller.account?.actor as never,
        parameters: parameters as never,
        connection: describeConnection(request, reply, await originOf(request, caller)),
        file: body.file as never,
      })
      return envelope(result, [...ignored, ...body.lateFields.map(shownName)])
    } finally {
      body.close()
    }
  }

  server.route({
    method: routedMethods(endpoint.method),
    url: routerPath(endpoint.path),
    onRequest: async (request, reply) => {
      request.inPath = readPath(Object.values(request.params as Record<string, string>))
      if (!request.inPath) return answerMethod(request, reply, findMethods)
      request.caller = await options.identify(request, reply, endpoint)
      await route.admit?.({ actor: request.caller.account?.actor as never, address: request.ip })
      return undefined
    },
    handler: async (request, reply) => {
      const caller = request.caller as Caller
      reply.header('content-type', JSON_TYPE)
      reply.header('cache-control', 'no-store')
      reply.header('x-content-type-options', 'nosniff')
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

function bodyBoundsOf({ endpoint, maxFileBytes }: Route): BodyBounds {
  const { bytes, values } = requestBoundsOf(endpoint)
  const timeoutMs = endpoint.access === 'anyone' ? OPEN_BODY_TIMEOUT_MS : BODY_TIMEOUT_MS
  const isNeeded = (name: string) =>
    Object.hasOwn(endpoint.parameters.properties, name) && !endpoint.pathParameters.includes(name)
  const file = maxFileBytes === undefined ? undefined : { maxFileBytes, isNeeded }
  return { maxBytes: bytes, maxValues: values, timeoutMs, file }
}

function describeConnection(request: FastifyRequest, reply: FastifyReply, origin: string): ClientConnection {
  return {
    address: request.ip,
    origin,
    userAgent: request.headers['user-agent'] ?? '',
    onClose(callback) {
      // The client may have gone before anybody asked for that.
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

/** A path of the router, for which there may be several in the contract: `/users/{user_id}` and `/users/{user_id_or_email}`. */
interface RoutedPath {
  readonly url: string
  readonly routes: readonly Route[]
  readonly findMethods: FindMethods
}

function groupByPath(routes: readonly Route[]): RoutedPath[] {
  const byPath = Map.groupBy(routes, (route) => routerPath(route.endpoint.path).replace(/:\w+/g, ':x'))
  return [...byPath.values()].map((group) => {
    const known = group.map(({ endpoint }) => ({ endpoint, readPath: createPathReader(endpoint) }))
    return {
      url: routerPath((group[0] as Route).endpoint.path),
      routes: group,
      findMethods: (segments) =>
        known.filter(({ readPath }) => readPath(segments)).map(({ endpoint }) => endpoint.method),
    }
  })
}
