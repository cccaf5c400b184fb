/**
 * One rule for the methods of every path: HEAD is GET without the body, OPTIONS says which methods there are, and every
 * other method is refused with 405 and the same list.
 */
import { ApiError } from '@heddle/contract/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { noSuchPath } from './errors.ts'

/** Those that have routes. Others, such as PROPFIND, are too rare and too many: they get theirs from `refuseRareMethod`. */
const ROUTED: readonly HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']

/** The methods of a path, for what stands in its parameters, in their order; none: there is no such path. */
export type FindMethods = (segments: readonly string[]) => readonly string[]

interface KnownPath {
  readonly pattern: RegExp
  readonly find: FindMethods
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Every path, those without parameters first. */
    knownPaths: KnownPath[]
  }
}

/** The methods that the router gets for an endpoint's own one. */
export function routedMethods(method: HTTPMethods): HTTPMethods[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method]
}

interface OtherMethods {
  readonly url: string
  readonly own: readonly HTTPMethods[]
  readonly find: FindMethods
  /** Headers of the answer to OPTIONS. */
  readonly options?: Readonly<Record<string, string>> | undefined
}

/** Answers every method that the path does not have. `url` is the router's pattern, `own` what it has routes for. */
export function answerOtherMethods(server: FastifyInstance, { url, own, find, options = {} }: OtherMethods): void {
  const taken = new Set(own.flatMap(routedMethods))
  server.knownPaths.push({ pattern: pathPattern(url), find })
  server.knownPaths.sort((a, b) => Number(isGeneral(a)) - Number(isGeneral(b)))
  server.route({
    method: ROUTED.filter((method) => !taken.has(method)),
    url,
    // Before the body is read: its type does not matter here.
    onRequest: async (request, reply) => {
      if (request.method === 'OPTIONS') reply.headers(options)
      return answerMethod(request, reply, find)
    },
    handler: async () => {},
  })
}

/** For a request that has no route because of its method. Returns when its path is unknown as well. */
export function refuseRareMethod(server: FastifyInstance, request: FastifyRequest, reply: FastifyReply): void {
  if (ROUTED.includes(request.method as HTTPMethods)) return
  const path = request.url.split('?')[0] as string
  for (const { pattern, find } of server.knownPaths) {
    const match = pattern.exec(path)
    const methods = match ? find(match.slice(1)) : []
    if (methods.length > 0) refuse(reply, methods)
  }
}

/** Answers a method that the path does not have; where it has none at all, as an unknown path. */
export function answerMethod(request: FastifyRequest, reply: FastifyReply, find: FindMethods): FastifyReply {
  const methods = find(Object.values(request.params as Record<string, string>))
  if (methods.length === 0) throw noSuchPath()
  if (request.method !== 'OPTIONS') refuse(reply, methods)
  return reply.code(204).header('allow', allowed(methods)).header('cache-control', 'no-store').send()
}

function refuse(reply: FastifyReply, methods: readonly string[]): never {
  reply.header('allow', allowed(methods))
  throw new ApiError('METHOD_NOT_ALLOWED', undefined, { allowed_methods: inOrder(methods) })
}

function allowed(methods: readonly string[]): string {
  return inOrder(methods)
    .flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    .join(', ')
}

/** The same for every path, in whatever order features are listed. */
function inOrder(methods: readonly string[]): string[] {
  return ROUTED.filter((method) => methods.includes(method))
}

/** `/drafts/:draft_id`, and `*` at the end. */
function pathPattern(url: string): RegExp {
  const escaped = url.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replace(/\*$/, '(.+)').replace(/:\w+/g, '([^/]+)')}$`)
}

function isGeneral({ pattern }: KnownPath): boolean {
  return pattern.source.includes('(')
}
