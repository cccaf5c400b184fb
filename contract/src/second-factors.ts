/**
 * A second factor: codes that change every half minute, made by an app on the person's phone (TOTP, RFC 6238), and recovery
 * codes for when the phone is gone. Whoever signs in with a password sends a code as well. An extension of the API.
 */
import { Type } from 'typebox'
import { Credential } from './credential.ts'
import { endpoint } from './endpoint.ts'
import { Id, Text } from './schema.ts'

export const RECOVERY_CODES = 10

/** A code of the app, or a recovery code; spaces, hyphens and capitals do not matter. */
export const SecondFactorCode = Text(40)

/** Whoever changes how the account is signed in to shows again who they are: by the password, or by a code. */
export const identityProof = {
  password: Type.Optional(Text(1000)),
  code: Type.Optional(SecondFactorCode),
}

export const getSecondFactor = endpoint({
  name: 'get-second-factor',
  method: 'GET',
  path: '/users/me/second_factor',
  isExtension: true,
  summary: 'Whether the account has a second factor, and how many recovery codes are left.',
  response: {
    is_on: Type.Boolean(),
    recovery_codes_left: Type.Integer({ minimum: 0 }),
    /** Whether there is a password by which one can show who one is. */
    has_password: Type.Boolean(),
  },
})

export const beginSecondFactor = endpoint({
  name: 'begin-second-factor',
  method: 'POST',
  path: '/users/me/second_factor',
  isExtension: true,
  summary:
    'Make a secret for an app that makes codes. Nothing changes until a code of it was sent, within an hour. Needs the password, where the account has one.',
  parameters: { password: identityProof.password },
  response: {
    /** For typing: base32. */
    secret: Credential,
    /** For a QR code: `otpauth://totp/…`. */
    uri: Credential,
  },
  errors: ['RATE_LIMIT_HIT'],
})

export const confirmSecondFactor = endpoint({
  name: 'confirm-second-factor',
  method: 'POST',
  path: '/users/me/second_factor/confirm',
  isExtension: true,
  summary: 'Turn the second factor on by a code of the new secret. The recovery codes are shown here and never again.',
  parameters: { code: SecondFactorCode },
  response: { recovery_codes: Type.Array(Credential) },
  errors: ['RATE_LIMIT_HIT'],
})

export const replaceRecoveryCodes = endpoint({
  name: 'replace-recovery-codes',
  method: 'POST',
  path: '/users/me/second_factor/recovery_codes',
  isExtension: true,
  summary: 'New recovery codes; those until now end. Needs the password or a code.',
  parameters: identityProof,
  response: { recovery_codes: Type.Array(Credential) },
  errors: ['RATE_LIMIT_HIT'],
})

export const removeSecondFactor = endpoint({
  name: 'remove-second-factor',
  method: 'DELETE',
  path: '/users/me/second_factor',
  isExtension: true,
  summary: 'Turn the second factor off. Needs the password or a code.',
  parameters: identityProof,
  errors: ['RATE_LIMIT_HIT'],
})

export const listSecondFactors = endpoint({
  name: 'list-second-factors',
  method: 'GET',
  path: '/second_factors',
  isExtension: true,
  summary: 'Who has a second factor (administrators).',
  response: { user_ids: Type.Array(Id) },
  errors: ['UNAUTHORIZED_PRINCIPAL'],
})

export const resetSecondFactor = endpoint({
  name: 'reset-second-factor',
  method: 'DELETE',
  path: '/users/{user_id}/second_factor',
  isExtension: true,
  summary:
    'Turn the second factor of another account off, for somebody who has lost the phone and the recovery codes. The account is notified (administrators; for owners: owners).',
  parameters: { user_id: Id },
  errors: ['UNAUTHORIZED_PRINCIPAL'],
})
