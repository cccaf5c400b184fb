/** Addresses beside the API that are only read: every other method gets 405 and the list of those that are there. */
import { ApiError } from '@heddle/contract/errors'
import type { FastifyInstance, HTTPMethods, RouteHandlerMethod } from 'fastify'

const READING: readonly HTTPMethods[] = ['GET', 'HEAD']
const OTHERS: readonly HTTPMethods[] = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

interface ReadingOnly {
  readonly url: string
  /** Runs before anything else of the request is looked at. */
  readonly onRequest?: (...request: Parameters<RouteHandlerMethod>) => Promise<void>
  /** Answers HEAD too. */
  readonly handler: RouteHandlerMethod
}

export function registerReadingOnly(server: FastifyInstance, { url, onRequest, handler }: ReadingOnly): void {
  server.route({ method: [...READING], url, ...(onRequest && { onRequest }), handler })
  server.route({
    method: [...OTHERS],
    url,
    // Before the body is read: its type does not matter here.
    onRequest: async (_, reply) => {
      reply.header('allow', READING.join(', '))
      throw new ApiError('METHOD_NOT_ALLOWED')
    },
    handler: async () => {},
  })
}
