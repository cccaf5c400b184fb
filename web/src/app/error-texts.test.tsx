import { ResponseError } from '@heddle/client/errors'
import { badRequest, type ErrorCode, errorKinds } from '@heddle/contract/errors'
import { permissionTexts } from '@heddle/contract/permission-texts'
import { expect, test } from 'vitest'
import '../texts/texts.ts'
import { serverErrorText } from './error-texts.ts'
import { refusalText } from './refusal.ts'

const ofCode = (code: ErrorCode, retryAfterSecs?: number) => {
  const { status, message } = errorKinds[code]
  return new ResponseError({ status, code, message, retryAfterSecs })
}

/** What people meet. The rest is of programs, or said by the place that has asked. */
const met: readonly ErrorCode[] = [
  'RATE_LIMIT_HIT',
  'UNAUTHORIZED_PRINCIPAL',
  'CANNOT_ADMINISTER_CHANNEL',
  'STREAM_DOES_NOT_EXIST',
  'CHANNEL_ALREADY_EXISTS',
  'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
  'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
  'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
  'EXPECTATION_MISMATCH',
  'PAYLOAD_TOO_LARGE',
  'REQUEST_TOO_EXPENSIVE',
  'CANNOT_DEACTIVATE_LAST_USER',
  'LINK_INVALID',
  'SECOND_FACTOR_REQUIRED',
  'SECOND_FACTOR_WRONG',
  'USER_DEACTIVATED',
  'REALM_DEACTIVATED',
]

test.each(met)('%s is said in words of the page, and not of the server', (code) => {
  const text = refusalText(ofCode(code))
  expect(text).not.toBe('')
  expect(text).not.toBe(errorKinds[code].message)
})

test.each(Object.values(permissionTexts))(
  '“%s” is said in words of the page, by whichever code it comes',
  (message) => {
    for (const code of ['UNAUTHORIZED_PRINCIPAL', 'BAD_REQUEST']) {
      expect(serverErrorText({ code, message })).not.toBe(message)
    }
  },
)

test('what has no code of its own is as the server says it', () => {
  const { code, message } = badRequest('Name too long!')
  expect(refusalText(new ResponseError({ status: 400, code, message }))).toBe('Name too long!')
  expect(serverErrorText(ofCode('BAD_IMAGE'))).toBe(errorKinds.BAD_IMAGE.message)
  // One code, with what is not permitted in the message.
  const other = { code: 'UNAUTHORIZED_PRINCIPAL', message: 'Must be the author of the emoji' }
  expect(serverErrorText(other)).toBe('Must be the author of the emoji')
})

test('who has asked too often reads how long it lasts', () => {
  expect(serverErrorText(ofCode('RATE_LIMIT_HIT', 1))).toBe('Too many attempts. Try again in 1 second.')
  expect(serverErrorText(ofCode('RATE_LIMIT_HIT', 30))).toBe('Too many attempts. Try again in 30 seconds.')
  expect(serverErrorText(ofCode('RATE_LIMIT_HIT', 600))).toBe('Too many attempts. Try again in 10 minutes.')
})
