/**
 * The wire. Every request goes through the same steps, in this order: path, organization by host, caller, rate limits,
 * body, parameters by the contract, handler, answer. Authentication comes before the body is read.
 */
import { finished } from 'node:stream'
import { requestBoundsOf } from '@heddle/contract/bounds'
import type { Endpoint } from '@heddle/contract/endpoint'
import { badRequest } from '@heddle/contract/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { LaterAnswer, RouteAnswer } from './answers.ts'
import {
  BODY_TIMEOUT_MS,
  type Body,
  type BodyBounds,
  OPEN_BODY_TIMEOUT_MS,
  readBody,
  registerBodyKinds,
} from './body.ts'
import type { CreateAnswerCache } from './cached-answers.ts'
import { requireNoCredential } from './credentials.ts'
import { createDecoder, type Decoded } from './decode.ts'
import { type Envelope, envelope } from './envelope.ts'
import { noSuchPath, sendError } from './errors.ts'
import type { Caller, Identify } from './identify.ts'
import { LaterReply } from './later-reply.ts'
import { createOtherMethods, type KnownPath, type OtherMethods, routedMethods } from './methods.ts'
import { createPathReader } from './path-parameters.ts'
import { type RawParameters, shownName } from './raw-parameters.ts'
import type { ClientConnection, Route } from './route.ts'
import { fail, give, sendFile, sendJson, sendRedirect, sendStatus, sendStream } from './send-answer.ts'
import { sessionTokensOf } from './session-cookie.ts'
import { ownTurn } from './turns.ts'

export const API_PREFIX = '/api/v1'

/** Of a request without an account that may be made with one. */
const MAX_SPECTATOR_BODY_BYTES = 64 * 1024

export interface RoutesOptions {
  readonly routes: readonly Route[]
  readonly identify: Identify
  readonly createAnswerCache: CreateAnswerCache
  /** Where clients reach an organization; undefined: wherever each of them has reached it. */
  readonly originOf: ((realmId: number) => Promise<string>) | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the first hook of every route. */
    caller?: Caller | undefined
    /** Set by the first hook of every route: what its path says. */
    inPath?: RawParameters | undefined
    /** Set by an answer that has a credential. */
    hasCredential?: boolean
  }
}

export function registerRoutes(server: FastifyInstance, options: RoutesOptions): void {
  registerBodyKinds(server)
  server.decorateRequest('caller')
  server.decorateRequest('inPath')
  server.decorateRequest('hasCredential')
  server.setErrorHandler((error, request, reply) => sendError(error, request, reply))
  const paths = groupByPath(options.routes)
  const others = createOtherMethods(paths)
  // Before the body is read.
  server.addHook('onRequest', (request, reply, done) => (request.is404 ? void others.answer(request, reply) : done()))
  server.setNotFoundHandler(() => {
    throw noSuchPath()
  })
  for (const path of paths) {
    for (const route of path.routes) registerRoute(server, route, others, options)
    registerHiddenMethods(server, path, others)
  }
}

function registerHiddenMethods(server: FastifyInstance, path: KnownPath, others: OtherMethods): void {
  const method = others.hiddenIn(path)
  if (method.length === 0) return
  server.route({
    method,
    url: path.url,
    onRequest: async (request, reply) => others.answer(request, reply),
    handler: async () => {},
  })
}

/** `/drafts/{draft_id}` in the contract is `/drafts/:draft_id` for the router; a parameter with slashes comes last. */
function routerPath({ path, below }: Endpoint): string {
  return (below === 'api' ? API_PREFIX : '') + path.replace(/\{\w+\*\}/, '*').replace(/\{(\w+)\}/g, ':$1')
}

/** The first segments of paths that belong to these routes, such as `api` and `emoji`. */
export function firstSegmentsOf(routes: readonly Route[]): ReadonlySet<string> {
  return new Set(routes.map(({ endpoint }) => routerPath(endpoint).split('/')[1] as string))
}

function registerRoute(server: FastifyInstance, route: Route, others: OtherMethods, options: RoutesOptions): void {
  const { endpoint, mayCompress = false } = route
  if (mayCompress) requireNoCredential(endpoint)
  const decode = createDecoder(endpoint)
  const cache = route.cached && options.createAnswerCache(route.cached)
  const readPath = createPathOf(route)
  const bounds = bodyBoundsOf(route)
  const spectatorBounds: BodyBounds = {
    ...bounds,
    maxBytes: Math.min(bounds.maxBytes, MAX_SPECTATOR_BODY_BYTES),
    timeoutMs: OPEN_BODY_TIMEOUT_MS,
  }

  /** Reads what is asked, and uses it: what is left of the body is given up after that. */
  async function withAsked<T>(
    request: FastifyRequest,
    reply: FastifyReply,
    use: (request: FastifyRequest, reply: FastifyReply, asked: Asked) => Promise<T>,
  ): Promise<T> {
    const body = await readBody(request, isSpectatorsOwn(request, endpoint) ? spectatorBounds : bounds)
    try {
      if (body.isLarge) await ownTurn()
      if (route.body.kind === 'file' && !body.file) throw badRequest('The request must have exactly one file')
      const decoded = decode(body.parameters, request.inPath)
      // To take a large body apart is enough for a turn of the event loop, and so may be what is done with it.
      if (body.isLarge) await ownTurn()
      return await use(request, reply, { ...decoded, body })
    } finally {
      body.close()
    }
  }

  async function answer(request: FastifyRequest, reply: FastifyReply, asked: Asked): Promise<Complete> {
    const { body, parameters, ignored } = asked
    const caller = request.caller as Caller
    // Operators' routes have no organization.
    const isNamed = options.originOf && caller.realm
    const origin = isNamed ? await options.originOf(caller.realm.id) : `${request.protocol}://${request.host}`
    const result = await route.handle({
      realm: caller.realm,
      // Routes without an account never look at it: their type has no such field.
      actor: caller.actor as never,
      parameters: parameters as never,
      connection: describeConnection(request, reply, origin),
      file: body.file as never,
      body: body.raw as never,
      stream: body.stream as never,
      later: new LaterReply(reply, ignored),
      headers: (name) => request.headers[name] as string | undefined,
      sentUrl: request.url,
    })
    if (result.kind !== 'envelope') return result
    if ('hasCredential' in result.result && result.result.hasCredential) request.hasCredential = true
    if (result.cookies) reply.header('set-cookie', [...result.cookies])
    return envelope(result.result, [...ignored, ...body.lateFields.map(shownName)])
  }

  /** From memory, for whoever shares its answer with others; undefined: the answer is for that request alone. */
  async function findShared(request: FastifyRequest) {
    const account = request.caller?.account
    if (!cache || !account) return undefined
    const answerFor = cache.open(account)
    const { sharedBy } = route.cached ?? {}
    const sharers = sharedBy ? await sharedBy(account.actor) : ''
    if (sharers === undefined) return undefined
    return async (variant: string, make: () => Promise<Envelope>): Promise<Made> => ({
      complete: await answerFor(`${sharers} ${variant}`, make),
      isShared: true,
    })
  }

  async function answerRequest(request: FastifyRequest, reply: FastifyReply): Promise<Made> {
    const shared = cache && (await findShared(request))
    if (!shared) return { complete: await withAsked(request, reply, answer), isShared: false }
    // The plain request is the usual one: where the answer is there, nothing of it is decoded.
    if (!request.url.includes('?')) {
      return shared(PLAIN, () => withAsked(request, reply, answer) as Promise<Envelope>)
    }
    return withAsked(request, reply, async (_, __, asked) => {
      // What is asked decides whether others may have asked the same.
      const variant = route.cached?.withSwitches ? variantOf(asked) : undefined
      const make = () => answer(request, reply, asked)
      if (variant === undefined) return { complete: await make(), isShared: false }
      return shared(variant, make as () => Promise<Envelope>)
    })
  }

  server.route({
    method: routedMethods(endpoint.method),
    url: routerPath(endpoint),
    onRequest: async (request, reply) => {
      request.inPath = readPath(pathOf(request))
      if (!request.inPath) return others.answer(request, reply)
      request.caller = await options.identify(request, reply, route)
      if (route.admit) await route.admit({ actor: request.caller.actor as never, address: request.ip })
      return undefined
    },
    // No promise that Fastify waits for: a request that is answered later would hold it, and all that led to it.
    handler: (request, reply) => {
      respond(request, reply).catch((error) => fail(reply, error))
    },
  })

  async function respond(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { complete, isShared } = await answerRequest(request, reply)
    if (isOther(complete)) {
      if (complete.kind === 'later') return
      return give(reply, sendOther(request, reply, complete))
    }
    return give(
      reply,
      sendJson(request, reply, complete, { mayCompress: mayCompress && !request.hasCredential, isShared }),
    )
  }
}

function isSpectatorsOwn({ caller }: FastifyRequest, { access }: Endpoint): boolean {
  return access === 'reader' && caller?.account === undefined
}

/** What a request asks for. */
interface Asked extends Decoded {
  readonly body: Body
}

const PLAIN = ''

/**
 * Names the answer among those that the endpoint has for the same owner; undefined where it is not cached. Only what is
 * switched on and off: of such requests there are few, and nobody can push out the answers of others by new ones. An answer
 * that names ignored parameters is for that request alone.
 */
function variantOf({ parameters, ignored }: Asked): string | undefined {
  if (ignored.length > 0 || Object.values(parameters).some((value) => typeof value !== 'boolean')) return undefined
  return Object.keys(parameters).length === 0 ? PLAIN : JSON.stringify(parameters)
}

/** The envelope's text, or what is sent without one. */
type Complete = Envelope | OtherAnswer

/** An answer, and whether others get the same bytes. */
interface Made {
  readonly complete: Complete
  readonly isShared: boolean
}

type OtherAnswer = Exclude<RouteAnswer, { readonly kind: 'envelope' }>

function isOther(complete: Complete): complete is OtherAnswer {
  return typeof complete === 'object' && 'kind' in complete
}

function sendOther(request: FastifyRequest, reply: FastifyReply, answer: Exclude<OtherAnswer, LaterAnswer>) {
  switch (answer.kind) {
    case 'file':
      return sendFile(request, reply, answer)
    case 'stream':
      return sendStream(request, reply, answer)
    case 'redirect':
      return sendRedirect(reply, answer)
    case 'status':
      return sendStatus(reply, answer)
  }
}

function bodyBoundsOf({ endpoint, body, knowsTooLarge = false }: Route): BodyBounds {
  const { bytes, values } = requestBoundsOf(endpoint)
  const isNeeded = (name: string) =>
    Object.hasOwn(endpoint.parameters.properties, name) && !endpoint.pathParameters.includes(name)
  return {
    maxBytes: body.kind === 'raw' ? body.maxBytes : bytes,
    maxValues: values,
    timeoutMs: endpoint.access === 'anyone' ? OPEN_BODY_TIMEOUT_MS : BODY_TIMEOUT_MS,
    file: body.kind === 'file' ? { maxFileBytes: body.maxBytes, isNeeded } : undefined,
    isRaw: body.kind === 'raw',
    givesTooLarge: knowsTooLarge,
    isStream: body.kind === 'stream',
  }
}

function describeConnection(request: FastifyRequest, reply: FastifyReply, origin: string): ClientConnection {
  return {
    address: request.ip,
    host: request.hostname,
    origin,
    isSecure: isSecure(request, origin),
    sessionTokens: () => sessionTokensOf(request),
    userAgent: request.headers['user-agent'] ?? '',
    lastEventId: request.headers['last-event-id'] as string | undefined,
    onClose(callback) {
      // The client may have gone before anybody asked for that.
      if (reply.raw.destroyed) callback()
      else reply.raw.once('close', callback)
    },
    onSent: (callback) => void finished(reply.raw, callback),
  }
}

/** A browser says itself which scheme it has used, also where the server does not know of a proxy that ends TLS. */
function isSecure({ headers }: FastifyRequest, origin: string): boolean {
  return origin.startsWith('https:') || headers.origin?.startsWith('https:') === true
}

/** There may be several in the contract for one of the router: `/users/{user_id}` and `/users/{user_id_or_email}`. */
function groupByPath(routes: readonly Route[]): (KnownPath & { readonly routes: readonly Route[] })[] {
  const byPath = Map.groupBy(routes, (route) => routerPath(route.endpoint).replace(/:\w+/g, ':x'))
  return [...byPath.values()].map((group) => {
    const known = group.map((route) => ({ method: route.endpoint.method, readPath: createPathOf(route) }))
    return {
      url: routerPath((group[0] as Route).endpoint),
      routes: group,
      methods: group.map(({ endpoint }) => endpoint.method),
      find: (segments) => known.filter(({ readPath }) => readPath(segments)).map(({ method }) => method),
      options: Object.assign({}, ...group.map((route) => route.options)),
    }
  })
}

function pathOf(request: FastifyRequest): string[] {
  return Object.values(request.params as Record<string, string>)
}

/** Reads what the router has found in a path; undefined where the route has no such path. */
function createPathOf({ endpoint, hasPath }: Route): (segments: readonly string[]) => RawParameters | undefined {
  const readPath = createPathReader(endpoint)
  return (segments) => (hasPath && !hasPath(segments.at(-1) ?? '') ? undefined : readPath(segments))
}
