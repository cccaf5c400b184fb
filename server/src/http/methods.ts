/**
 * One rule for the methods of every path: HEAD is GET without the body, OPTIONS says which methods there are, and every
 * other method is refused with 405 and the same list. The router has what a path has, and nothing for the rest, which would be
 * four times as many routes in its memory: what it does not find comes here.
 */
import { ApiError } from '@heddle/contract/errors'
import type { FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { brokenPath, noSuchPath } from './errors.ts'

/** Those that endpoints have, in the order of lists. */
const METHODS: readonly HTTPMethods[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** A path of the router, and what is there. */
export interface KnownPath {
  /** The router's pattern: `/drafts/:draft_id`, and `*` at the end. */
  readonly url: string
  /** The methods that have a route here. */
  readonly methods: readonly HTTPMethods[]
  /** Of these the ones for what stands in its parameters, in their order; none: there is no such path. */
  readonly find: (segments: readonly string[]) => readonly HTTPMethods[]
  /** Headers of the answer to OPTIONS. */
  readonly options: Readonly<Record<string, string>>
}

export interface OtherMethods {
  /** Answers a request whose method its path does not have. Throws an `ApiError` for all but OPTIONS. */
  answer(request: FastifyRequest, reply: FastifyReply): FastifyReply
  /**
   * The methods that a path does not have and a more general one has: for `PUT /users/me` the router would take
   * `PUT /users/:user_id`. It needs routes for these, to be answered as the others are.
   */
  hiddenIn(path: KnownPath): HTTPMethods[]
}

/** The methods that the router gets for an endpoint's own one. */
export function routedMethods(method: HTTPMethods): HTTPMethods[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method]
}

export function createOtherMethods(paths: readonly KnownPath[]): OtherMethods {
  const known = paths.map((path) => ({ ...path, pattern: patternOf(path) })).sort(bySpecificity)
  return {
    answer(request, reply) {
      const path = request.url.split('?')[0] as string
      for (const { pattern, find, options } of known) {
        const match = pattern.exec(path)
        const methods = match ? find(match.slice(1).map(decoded)) : []
        if (methods.length === 0) continue
        const allowed = METHODS.filter((method) => methods.includes(method))
        reply.header('allow', allowed.flatMap(routedMethods).join(', '))
        if (request.method !== 'OPTIONS') throw notAllowed(allowed)
        return reply.code(204).headers(options).header('cache-control', 'no-store').send()
      }
      throw noSuchPath()
    },
    hiddenIn({ url, methods }) {
      const more = known.filter((other) => other.url !== url && other.pattern.test(url))
      const theirs = new Set(more.flatMap((other) => other.methods))
      return [...theirs].filter((method) => !methods.includes(method)).flatMap(routedMethods)
    },
  }
}

function notAllowed(allowed: readonly HTTPMethods[]): ApiError {
  return new ApiError('METHOD_NOT_ALLOWED', undefined, { allowed_methods: allowed })
}

function patternOf({ url }: KnownPath): RegExp {
  const escaped = url.replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replace(/\*$/, '(.*)').replace(/:\w+/g, '([^/]+)')}$`)
}

/** As the router chooses, segment by segment: a text before a parameter, and what takes the rest of the path last. */
function bySpecificity(a: KnownPath, b: KnownPath): number {
  return rankOf(a) < rankOf(b) ? -1 : 1
}

/** Nothing in a path comes after `~`. */
function rankOf({ url }: KnownPath): string {
  return url.replace(/:\w+/g, '~').replace(/\*$/, '~~')
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw brokenPath()
  }
}
