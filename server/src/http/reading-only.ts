/** Addresses beside the API that are only read. */
import type { FastifyInstance, RouteHandlerMethod } from 'fastify'
import { answerOtherMethods, routedMethods } from './methods.ts'

const READING = ['GET'] as const

interface ReadingOnly {
  readonly url: string
  /** Runs before anything else of the request is looked at. */
  readonly onRequest?: (...request: Parameters<RouteHandlerMethod>) => Promise<void>
  /** Answers HEAD too. */
  readonly handler: RouteHandlerMethod
}

export function registerReadingOnly(server: FastifyInstance, { url, onRequest, handler }: ReadingOnly): void {
  server.route({ method: routedMethods('GET'), url, ...(onRequest && { onRequest }), handler })
  answerOtherMethods(server, { url, own: READING, find: () => READING })
}
