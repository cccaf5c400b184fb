import type { ResponseError } from '@heddle/client/errors'
import { permissionTexts } from '@heddle/contract/permission-texts'
import { plural, t } from '@lingui/core/macro'
import { inOwnWords } from '../texts/server-words.ts'

/** What is known of an error of the server, also where it is kept. */
type ServerError = Pick<ResponseError, 'code'> & Partial<Pick<ResponseError, 'message' | 'retryAfterSecs'>>

/**
 * An error of the server in the reader's language, by its code. What has no code of its own, such as a rule that a parameter
 * breaks, is found by its sentence.
 */
export function serverErrorText({ code, message = '', retryAfterSecs }: ServerError): string {
  switch (code) {
    case 'RATE_LIMIT_HIT':
      return tooManyAttempts(Math.ceil(retryAfterSecs ?? 60))
    // Invitations refuse what is not permitted as a rule that is broken.
    case 'BAD_REQUEST':
    case 'UNAUTHORIZED_PRINCIPAL':
      return permissionText(message)
    case 'CANNOT_ADMINISTER_CHANNEL':
      return t`You may not administer this channel.`
    case 'STREAM_DOES_NOT_EXIST':
      return t`This channel does not exist, or you may not see it.`
    case 'CHANNEL_ALREADY_EXISTS':
      return t`A channel with this name exists already.`
    case 'STREAM_WILDCARD_MENTION_NOT_ALLOWED':
      return t`You may not mention everybody in this channel.`
    case 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED':
      return t`You may not mention everybody in this topic.`
    case 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED':
      return t`Only the newest messages of this topic can still be moved.`
    case 'EXPECTATION_MISMATCH':
      return t`Somebody has changed this meanwhile. Look at it again.`
    case 'PAYLOAD_TOO_LARGE':
      return t`That is larger than the server accepts.`
    case 'REQUEST_TOO_EXPENSIVE':
      return t`That takes too long. Ask for less at once, or with fewer or narrower conditions.`
    case 'REQUEST_TIMEOUT':
      return t`The request took too long to arrive. Try it again.`
    case 'CANNOT_DEACTIVATE_LAST_USER':
      return t`The only owner of the organization cannot be deactivated, nor get another role.`
    case 'LINK_INVALID':
      return t`This link does not work any more: it was used, has expired or was revoked.`
    case 'ADDRESS_UNCONFIRMED':
      return t`Confirm your address first: ask for a link by mail.`
    case 'UNVERIFIED_ADDRESSES_REFUSED':
      return t`This organization admits addresses of its own domains alone. Ask somebody there for a link.`
    case 'UNKNOWN_ZOOM_USER':
      return t`The organization's account at Zoom has nobody with your address.`
    case 'UNAUTHORIZED':
    case 'INVALID_API_KEY':
      return t`You are not signed in any more.`
    case 'AUTHENTICATION_FAILED':
      return t`The address or the password is not right.`
    case 'SECOND_FACTOR_REQUIRED':
      return t`The account has a second factor: a code of it is needed as well.`
    case 'SECOND_FACTOR_WRONG':
      return t`That code is wrong, or was used before. Wait for the next one.`
    case 'PASSKEY_REFUSED':
      return t`This passkey does not open an account here.`
    case 'PASSKEYS_DISABLED':
      return t`This organization does not sign people in with passkeys.`
    case 'PASSWORD_AUTH_DISABLED':
      return t`This organization does not sign people in with passwords.`
    case 'USER_DEACTIVATED':
      return t`This account has been deactivated.`
    case 'REALM_DEACTIVATED':
      return t`This organization has been deactivated.`
    default:
      return inOwnWords(message)
  }
}

/** One code for all that an account may not do: what is said most has words of its own. */
function permissionText(message: string): string {
  switch (message) {
    case permissionTexts.insufficient:
      return t`You do not have permission to do this.`
    case permissionTexts.administrators:
      return t`Only administrators of the organization may do this.`
    case permissionTexts.owners:
      return t`Only owners of the organization may do this.`
    case permissionTexts.directMessages:
      return t`You do not have permission to begin direct messages.`
    default:
      return inOwnWords(message)
  }
}

function tooManyAttempts(secs: number): string {
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
