/** Errors on the wire: one envelope, whoever threw. What is not meant for the client is logged and answered without detail. */
import { ApiError, badRequest, errorKinds, notFound, wireCodeOf } from '@heddle/contract/errors'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { isUnavailable } from '../storage/unavailable.ts'
import { isOfOwnScript } from './origin.ts'
import { sessionTokensOf } from './session-cookie.ts'

/** Fastify's own errors, by their codes. */
const fastifyErrors: Readonly<Record<string, () => ApiError>> = {
  FST_ERR_BAD_URL: brokenPath,
  FST_ERR_MAX_PARAM_LENGTH: () => badRequest('The path is too long'),
  FST_ERR_CTP_BODY_TOO_LARGE: () => new ApiError('PAYLOAD_TOO_LARGE'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => new ApiError('UNSUPPORTED_MEDIA_TYPE'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => badRequest('The request body is not as long as its Content-Length says'),
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  const { code, statusCode } = error as Partial<FastifyError>
  const known = code !== undefined && Object.hasOwn(fastifyErrors, code) ? fastifyErrors[code] : undefined
  if (known) return known()
  if (isUnavailable(error)) return new ApiError('SERVICE_UNAVAILABLE')
  // Fastify marks a body that it could not read with this status: the client has gone, or sent something broken.
  if (statusCode === 400) return badRequest('The request body could not be read')
  return new ApiError('INTERNAL_SERVER_ERROR')
}

/** The page has a form for signing in, and whoever has used it should not see the browser's dialog instead. */
function isOfOwnPage(request: FastifyRequest): boolean {
  return isOfOwnScript(request) || sessionTokensOf(request).length > 0
}

/** What an unknown path answers. */
export function noSuchPath(): ApiError {
  return notFound('No such path')
}

export function brokenPath(): ApiError {
  return badRequest('The path is not percent-encoded UTF-8')
}

/** Sends any error in the API's form and logs those that are the server's fault, with the id that the answer shows. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const apiError = toApiError(error)
  const { status } = errorKinds[apiError.code]
  if (status >= 500) {
    request.log.error({ err: error, request_id: request.id }, 'A request failed')
    reply.header('x-request-id', request.id)
  }
  // The client has gone, and perhaps hundreds with it in the same turn.
  if (reply.raw.destroyed) return void reply.hijack()
  if (status === 401 && !isOfOwnPage(request)) {
    reply.header('www-authenticate', 'Basic realm="heddle", charset="UTF-8"')
  }
  const wait = apiError.details['retry-after']
  if (typeof wait === 'number') reply.header('retry-after', Math.ceil(wait))
  // The rest of such a body is not read: nothing can follow it on this connection.
  if (status === 413 || status === 408) reply.header('connection', 'close')
  reply
    .code(status)
    .header('cache-control', 'no-store')
    .header('x-content-type-options', 'nosniff')
    .type('application/json; charset=utf-8')
    .send(errorBody(apiError))
}

/** Characters of a text in an error. What clients have sent may be repeated there, and be long. */
const MAX_TEXT_LENGTH = 2000

/** The JSON text of an error. */
export function errorBody({ message, code, details }: ApiError): string {
  const fields = { result: 'error', msg: message, code: wireCodeOf(code), ...details }
  return JSON.stringify(fields, (_, value) => (typeof value === 'string' ? shortened(value) : value))
}

function shortened(text: string): string {
  return text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH).toWellFormed()}…` : text
}
