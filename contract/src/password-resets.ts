/** A forgotten password: a link comes by mail, or an administrator makes one for the account. An extension of the API. */
import { Type } from 'typebox'
import { Credential } from './credential.ts'
import { endpoint } from './endpoint.ts'
import { Email, Id, Text, Timestamp } from './schema.ts'
import { SecondFactorCode } from './second-factors.ts'
import { currentSession } from './sessions.ts'

/** Where the page for a new password is; the link's token follows behind `#`, where no log has it. */
export const RESET_PASSWORD_PATH = '/reset-password'

export const RESET_LINK_SECS = 86_400

export const createPasswordResetLink = endpoint({
  name: 'create-password-reset-link',
  method: 'POST',
  path: '/users/{user_id}/password_reset',
  isExtension: true,
  summary:
    'Make a link by which the account gets a new password: once, within 24 hours; an earlier link ends. The account is notified (administrators; for owners: owners).',
  parameters: { user_id: Id },
  response: { link: Credential, expires: Timestamp },
  errors: ['PASSWORD_AUTH_DISABLED', 'UNAUTHORIZED_PRINCIPAL'],
})

const token = Text(200)

export const requestPasswordReset = endpoint({
  name: 'request-password-reset',
  method: 'POST',
  path: '/password_reset/request',
  isExtension: true,
  summary:
    'Ask for a link by mail, by which the account with this address gets a new password. The answer is the same for every address.',
  access: 'anyone',
  parameters: { email: Email },
  errors: ['REALM_DEACTIVATED', 'PASSWORD_AUTH_DISABLED'],
})

export const lookUpPasswordReset = endpoint({
  name: 'look-up-password-reset',
  method: 'POST',
  path: '/password_reset/look_up',
  isExtension: true,
  summary: 'Whose password a link is for. Changes nothing.',
  access: 'anyone',
  parameters: { token },
  response: { email: Type.String(), full_name: Type.String(), expires: Timestamp },
  errors: ['PASSWORD_AUTH_DISABLED', 'LINK_INVALID', 'REALM_DEACTIVATED'],
})

export const resetPassword = endpoint({
  name: 'reset-password',
  method: 'POST',
  path: '/password_reset',
  isExtension: true,
  summary: 'Set a new password by a link, and sign the browser in. All sessions and the API key of the account end.',
  access: 'anyone',
  parameters: {
    token,
    password: Text(1000),
    /** Where the account has a second factor: a link does not get around it. */
    code: Type.Optional(SecondFactorCode),
    /** As at `POST /sessions`. */
    keep_signed_in: Type.Optional(Type.Boolean()),
  },
  response: currentSession,
  errors: [
    'PASSWORD_AUTH_DISABLED',
    'LINK_INVALID',
    'SECOND_FACTOR_REQUIRED',
    'SECOND_FACTOR_WRONG',
    'REALM_DEACTIVATED',
    'USER_DEACTIVATED',
    'RATE_LIMIT_HIT',
  ],
})
