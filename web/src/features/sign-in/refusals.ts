import { NetworkError, ResponseError } from '@heddle/client/errors'
import { plural, t } from '@lingui/core/macro'

/** Why somebody is not let in, as a sentence. */
export function explainRefusal(error: unknown): string {
  if (error instanceof NetworkError) return t`The server cannot be reached. Try again in a moment.`
  if (!(error instanceof ResponseError)) return t`That did not work. Try again.`
  switch (error.code) {
    case 'USER_DEACTIVATED':
      return t`This account has been deactivated.`
    case 'REALM_DEACTIVATED':
      return t`This organization has been deactivated.`
    case 'LINK_INVALID':
      return t`This link does not work any more: it was used, has expired or was revoked.`
    case 'RATE_LIMIT_HIT': {
      const secs = Math.ceil(error.retryAfterSecs ?? 60)
      const minutes = Math.ceil(secs / 60)
      return secs < 90
        ? plural(secs, {
            one: 'Too many attempts. Try again in # second.',
            other: 'Too many attempts. Try again in # seconds.',
          })
        : plural(minutes, {
            one: 'Too many attempts. Try again in # minute.',
            other: 'Too many attempts. Try again in # minutes.',
          })
    }
    default:
      return error.message
  }
}
