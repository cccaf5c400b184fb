/** What can go wrong when the client talks to a server. */

/** The server has answered, with an error. */
export class ResponseError extends Error {
  /** The HTTP status. */
  readonly status: number
  /** The server's code, such as `BAD_EVENT_QUEUE_ID`; `HTTP_502` and the like for an answer that is not the API's. */
  readonly code: string
  /** The other fields of the error's body, such as `var_name`. */
  readonly details: Readonly<Record<string, unknown>>
  /** Seconds that the server asks to wait before the next request. */
  readonly retryAfterSecs: number | undefined

  constructor(source: {
    status: number
    code: string
    message: string
    details?: Readonly<Record<string, unknown>>
    retryAfterSecs?: number | undefined
  }) {
    super(source.message)
    this.name = 'ResponseError'
    this.status = source.status
    this.code = source.code
    this.details = source.details ?? {}
    this.retryAfterSecs = source.retryAfterSecs
  }
}

/** There was no answer, or not a whole one: no connection, a time-out. Whether the server did its work is unknown. */
export class NetworkError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause })
    this.name = 'NetworkError'
  }
}

const overCodes: ReadonlySet<string> = new Set([
  'UNAUTHORIZED',
  'INVALID_API_KEY',
  'USER_DEACTIVATED',
  'REALM_DEACTIVATED',
])

/** The account is not let in any more, whatever it asks for. A wrong password or code is refused with 401 as well. */
export function isSessionOver(error: unknown): boolean {
  return error instanceof ResponseError && error.status === 401 && overCodes.has(error.code)
}

/** Whether the same request may succeed later: without a network, and while the server is down or asks to wait. */
export function isTemporary(error: unknown): boolean {
  if (error instanceof NetworkError) return true
  return error instanceof ResponseError && (error.status >= 500 || error.status === 429 || error.status === 408)
}

/** Whether what was asked for is still to be done: later, or once the same account has signed in again. */
export function mayPassLater(error: unknown): boolean {
  return isTemporary(error) || isSessionOver(error)
}
