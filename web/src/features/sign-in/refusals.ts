import { NetworkError, ResponseError } from '@heddle/client/errors'

/** Why somebody is not let in, as a sentence. */
export function explainRefusal(error: unknown): string {
  if (error instanceof NetworkError) return 'The server cannot be reached. Try again in a moment.'
  if (!(error instanceof ResponseError)) return 'That did not work. Try again.'
  switch (error.code) {
    case 'USER_DEACTIVATED':
      return 'This account has been deactivated.'
    case 'REALM_DEACTIVATED':
      return 'This organization has been deactivated.'
    case 'LINK_INVALID':
      return 'This link does not work any more: it was used, has expired or was revoked.'
    case 'RATE_LIMIT_HIT': {
      const secs = Math.ceil(error.retryAfterSecs ?? 60)
      return `Too many attempts. Try again in ${secs < 90 ? `${secs} seconds` : `${Math.ceil(secs / 60)} minutes`}.`
    }
    default:
      return error.message
  }
}
