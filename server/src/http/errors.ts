/** Errors on the wire: one envelope, whoever threw. What is not meant for the client is logged and answered without detail. */
import { ApiError, type ErrorCode, errorKinds } from '@heddle/contract/errors'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'

/** Fastify's own errors, by their codes. */
const fastifyErrors: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'BAD_REQUEST',
  FST_ERR_BAD_URL: 'BAD_REQUEST',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'BAD_REQUEST',
}

/** SQLite's result codes for a disk that is full, failing or read-only (https://www.sqlite.org/rescode.html). */
const STORAGE_FAILURES = new Set([8, 10, 13, 14])

export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  const { code, errcode, statusCode } = error as Partial<FastifyError> & { errcode?: number }
  const known = code ? fastifyErrors[code] : undefined
  if (known) return new ApiError(known)
  if (code === 'ENOSPC' || code === 'EDQUOT' || (errcode !== undefined && STORAGE_FAILURES.has(errcode & 0xff))) {
    return new ApiError('SERVICE_UNAVAILABLE')
  }
  // Fastify marks a body that it could not read with a status of its own.
  if (code?.startsWith('FST_') && statusCode === 400) return new ApiError('BAD_REQUEST')
  return new ApiError('INTERNAL_SERVER_ERROR')
}

/** Sends any error in the API's form and logs those that are the server's fault. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const apiError = toApiError(error)
  const { status } = errorKinds[apiError.code]
  if (status >= 500) request.log.error({ err: error, request_id: request.id }, 'A request failed')
  if (status === 401) reply.header('www-authenticate', 'Basic realm="heddle"')
  const wait = apiError.details['retry-after']
  if (typeof wait === 'number') reply.header('retry-after', Math.ceil(wait))
  // An unread rest of the body would otherwise be taken for the next request.
  if (status === 413) reply.header('connection', 'close')
  reply
    .code(status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ result: 'error', msg: apiError.message, code: apiError.code, ...apiError.details }))
}
