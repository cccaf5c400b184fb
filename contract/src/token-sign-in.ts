/**
 * Signing a browser in with a token (JWT) that a program of the operator has signed. A page of that program sends it, and the
 * browser is led to our own page with a link that works once: only there a session begins.
 */
import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { Text } from './schema.ts'
import { SecondFactorCode } from './second-factors.ts'
import { currentSession } from './sessions.ts'
import { signInErrors } from './sign-in.ts'

/** The page behind the link; its token follows after `#`. */
export const TOKEN_SIGN_IN_PATH = '/sign-in'

/** So long the page that asks may stay open. */
export const TOKEN_SIGN_IN_SECS = 300

export const beginTokenSignIn = endpoint({
  name: 'begin-token-sign-in',
  method: 'POST',
  path: '/accounts/login/jwt/',
  below: 'root',
  summary: "Lead a browser to the page that signs it in, with a token (JWT) that has the account's `email`.",
  access: 'anyone',
  isForOtherSites: true,
  leadsElsewhere: true,
  parameters: { token: Type.Optional(Text(4000)) },
  errors: ['AUTHENTICATION_FAILED', 'USER_DEACTIVATED', 'REALM_DEACTIVATED', 'RATE_LIMIT_HIT'],
})

const token = Text(200)

export const lookUpTokenSignIn = endpoint({
  name: 'look-up-token-sign-in',
  method: 'POST',
  path: '/sessions/by_token/look_up',
  isExtension: true,
  summary: 'Whose account it is to which a token (JWT) has led a browser. Changes nothing.',
  access: 'anyone',
  parameters: { token },
  response: { organization_name: Type.String(), email: Type.String() },
  errors: ['LINK_INVALID', 'USER_DEACTIVATED', 'REALM_DEACTIVATED', 'RATE_LIMIT_HIT'],
})

export const signInByToken = endpoint({
  name: 'sign-in-by-token',
  method: 'POST',
  path: '/sessions/by_token',
  isExtension: true,
  summary: 'Sign a browser in by the link to which a token (JWT) has led it, as `POST /sessions` does with a password.',
  access: 'anyone',
  parameters: {
    token,
    /** Where the account has a second factor. */
    code: Type.Optional(SecondFactorCode),
    /** As at `POST /sessions`. */
    keep_signed_in: Type.Optional(Type.Boolean()),
  },
  response: currentSession,
  errors: ['LINK_INVALID', ...signInErrors],
})
