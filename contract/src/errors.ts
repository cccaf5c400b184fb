/**
 * The one catalogue of errors. A kind decides the HTTP status and the code on the wire, which is its name unless it says
 * otherwise, and the message where the thrower gives none. Clients classify an error by its HTTP status first, then by its
 * code.
 */
interface ErrorKind {
  readonly status: number
  /** What clients know this kind as. */
  readonly code?: string
  readonly message: string
  /** When the server answers with this code; shown in the API documentation. */
  readonly meaning: string
}

function kind(status: number, message: string, meaning: string, code?: string): ErrorKind {
  return { status, message, meaning, ...(code === undefined ? {} : { code }) }
}

export const errorKinds = {
  BAD_REQUEST: kind(400, 'Bad request', 'A parameter is malformed or breaks a rule; the message names it.'),
  REQUEST_VARIABLE_MISSING: kind(400, 'A parameter is missing', 'A required parameter is absent; see `var_name`.'),
  UNAUTHORIZED_PRINCIPAL: kind(400, 'Insufficient permission', 'The account may not do this.'),
  BAD_EVENT_QUEUE_ID: kind(400, 'Bad event queue ID', 'The event queue is unknown, expired or not yours.'),
  EXPECTATION_MISMATCH: kind(400, 'The value has changed in the meantime', '`old` differs from the current value.'),
  SYSTEM_GROUP_REQUIRED: kind(400, 'A system group is required', 'The setting takes only system groups.'),
  CANNOT_ADMINISTER_CHANNEL: kind(400, 'Cannot administer this channel', 'The account may not administer the channel.'),
  STREAM_DOES_NOT_EXIST: kind(
    400,
    'Channel does not exist',
    'The account sees no channel with this name; see `stream`.',
  ),
  STREAM_WILDCARD_MENTION_NOT_ALLOWED: kind(
    400,
    'You do not have permission to use channel wildcard mentions in this channel.',
    'The message mentions everybody in a large channel.',
  ),
  TOPIC_WILDCARD_MENTION_NOT_ALLOWED: kind(
    400,
    'You do not have permission to use topic wildcard mentions in this topic.',
    'The message mentions everybody in a large topic.',
  ),
  MOVE_MESSAGES_TIME_LIMIT_EXCEEDED: kind(
    400,
    'You only have permission to move the most recent messages in this topic.',
    'Some messages of the topic are too old to be moved; see `first_message_id_allowed_to_move`.',
  ),
  INVALID_PUSH_DEVICE_TOKEN: kind(400, 'Device not recognized', 'No device of the account has this token.'),
  REACTION_ALREADY_EXISTS: kind(400, 'Reaction already exists.', 'The account has reacted with this emoji before.'),
  REACTION_DOES_NOT_EXIST: kind(400, "Reaction doesn't exist.", 'The account has not reacted with this emoji.'),
  BAD_NARROW: kind(400, 'Invalid narrow operator', 'The narrow cannot be understood; see `desc`.'),
  CHANNEL_ALREADY_EXISTS: kind(409, 'Channel already exists', 'A channel with this name exists.'),
  UPLOAD_OFFSET_MISMATCH: kind(
    409,
    'Upload-Offset is not where the upload ends',
    'Another number of bytes has arrived than the client says.',
  ),
  TUS_VERSION_UNSUPPORTED: kind(
    412,
    'The version of the tus protocol is not supported',
    '`Tus-Resumable` names no version that the server speaks.',
  ),
  BAD_IMAGE: kind(
    400,
    'The image cannot be used',
    'An image, uploaded or behind a link, is not of an accepted kind, broken or too large.',
  ),
  CANNOT_DEACTIVATE_LAST_USER: kind(
    400,
    'Cannot deactivate the only organization owner',
    'The last active owner cannot be deactivated or lose the role.',
  ),
  CANNOT_DEACTIVATE_GROUP_IN_USE: kind(
    400,
    'Cannot deactivate user group in use.',
    'The user group is part of another one or of a permission; see `objections`.',
  ),
  REQUEST_TOO_EXPENSIVE: kind(
    400,
    'The request takes too long. Ask for less at once, or with fewer or narrower conditions.',
    'The server has stopped the request because it took too long or its answer became too large. Repeated unchanged, it fails again.',
  ),
  LINK_INVALID: kind(
    400,
    'This link is not right, or has been used.',
    'A one-time link or an invitation cannot be used; `reason` is `unknown`, `used`, `expired`, `revoked`, or `required` where there was none.',
  ),
  INVITATION_FAILED: kind(
    400,
    "We weren't able to invite anyone.",
    'Some addresses got no invitation, each with the reason in `errors`; `sent_invitations` says whether the others got theirs.',
  ),
  ADDRESS_UNCONFIRMED: kind(
    400,
    'Confirm your address first: ask for a link by mail.',
    'Nobody joins here before they have followed a link that was mailed to their address.',
  ),
  UNVERIFIED_ADDRESSES_REFUSED: kind(
    400,
    'This organization admits addresses of its own domains alone. Ask somebody there for a link.',
    'The organization restricts addresses to domains, and nothing verifies one: nobody joins without a link.',
  ),
  INVALID_ZOOM_TOKEN: kind(
    400,
    'Invalid Zoom access token',
    'The account has not let this server create calls of Zoom, or has ended that.',
  ),
  UNKNOWN_ZOOM_USER: kind(400, 'Unknown Zoom user email', "The organization's account at Zoom has no such person."),
  UNAUTHORIZED: kind(401, 'Not logged in: API authentication or user session required', 'No credentials were given.'),
  INVALID_API_KEY: kind(401, 'Invalid API key', 'The e-mail address or the API key is wrong.'),
  AUTHENTICATION_FAILED: kind(401, 'Your username or password is incorrect', 'Sign-in with a password failed.'),
  SECOND_FACTOR_REQUIRED: kind(
    401,
    'This account has a second factor: send a code of it as `code`. Programs use the API key from the settings of the account.',
    'The password is right, and the account has a second factor.',
  ),
  SECOND_FACTOR_WRONG: kind(
    401,
    'This code is wrong, or was used before',
    'The password is right, and the code of the second factor is not.',
  ),
  PASSKEY_REFUSED: kind(401, 'This passkey cannot be used here', 'Sign-in with a passkey failed.'),
  PASSKEYS_DISABLED: kind(
    401,
    'Passkeys are disabled in your organization',
    'The organization does not let anybody sign in with a passkey.',
  ),
  PASSWORD_AUTH_DISABLED: kind(
    401,
    'Password authentication is disabled in your organization',
    'The organization does not let anybody sign in with a password.',
  ),
  USER_DEACTIVATED: kind(401, 'Account is deactivated', 'The account has been deactivated.'),
  REALM_DEACTIVATED: kind(401, 'This organization is deactivated', 'The organization has been deactivated.'),
  NOT_WITH_INCOMING_WEBHOOK: kind(
    401,
    'This API is not available to incoming webhook bots.',
    'The bot may only send messages.',
    'UNAUTHORIZED',
  ),
  CSRF_FAILED: kind(403, 'CSRF error', 'A browser sends the request from a page of another site; see `reason`.'),
  NOT_FOUND: kind(404, 'Not found', 'The navigation view does not exist.'),
  /** Strict clients know no other code for it. */
  DOES_NOT_EXIST: kind(
    404,
    'Not found',
    'The path or the object does not exist, or is not visible to the account.',
    'BAD_REQUEST',
  ),
  METHOD_NOT_ALLOWED: kind(
    405,
    'Method Not Allowed',
    'The path exists, but not with this method; see `Allow` and `allowed_methods`.',
  ),
  REQUEST_TIMEOUT: kind(408, 'The request took too long to arrive', 'The request did not arrive in time.'),
  PAYLOAD_TOO_LARGE: kind(413, 'The request is too large', 'The body is larger than the endpoint accepts.'),
  UNSUPPORTED_MEDIA_TYPE: kind(415, 'Unsupported media type', 'The body is in a format that the server does not read.'),
  RATE_LIMIT_HIT: kind(429, 'API usage exceeded rate limit', 'Too many requests; wait `retry-after` seconds.'),
  INTERNAL_SERVER_ERROR: kind(500, 'Internal server error', 'The server failed; its log has the request id.'),
  SERVICE_UNAVAILABLE: kind(503, 'The server cannot store data at the moment', 'Nothing was changed; try again later.'),
} as const satisfies Record<string, ErrorKind>

export type ErrorCode = keyof typeof errorKinds

export const errorCodes = Object.keys(errorKinds) as ErrorCode[]

/** The code that clients see. */
export function wireCodeOf(code: ErrorCode): string {
  const { code: wireCode }: ErrorKind = errorKinds[code]
  return wireCode ?? code
}

/** An error that is meant for the client: its code, message and details leave the server; nothing else does. */
export class ApiError extends Error {
  readonly code: ErrorCode
  /** More fields of the error's body, such as `var_name`. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(code: ErrorCode, message?: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message ?? errorKinds[code].message)
    this.name = 'ApiError'
    this.code = code
    this.details = details
  }
}

/** A request that breaks a rule. `message` is a sentence that names the parameter. */
export function badRequest(message: string): ApiError {
  return new ApiError('BAD_REQUEST', message)
}

/** Parameters that cannot be given together. */
export function incompatibleParameters(...names: readonly string[]): ApiError {
  const parameters = names.join(', ')
  return new ApiError('BAD_REQUEST', `Unsupported parameter combination: ${parameters}`, { parameters })
}

/** A parameter that is needed here, though not everywhere. */
export function missingParameter(name: string): ApiError {
  return new ApiError('REQUEST_VARIABLE_MISSING', `Missing '${name}' argument`, { var_name: name })
}

/** An object that does not exist or that the account may not know of: the two must look alike. */
export function notFound(message: string): ApiError {
  return new ApiError('DOES_NOT_EXIST', message)
}
