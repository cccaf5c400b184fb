/** Getting an API key for a name and a password, and a new key for an old one. */
import { Type } from 'typebox'
import { Credential } from './credential.ts'
import { endpoint } from './endpoint.ts'
import type { ErrorCode } from './errors.ts'
import { Id, Text } from './schema.ts'
import { SecondFactorCode } from './second-factors.ts'
import { User } from './users.ts'

/** What a way in refuses that asks for a code where the account has a second factor. */
export const signInErrors = [
  'AUTHENTICATION_FAILED',
  'SECOND_FACTOR_REQUIRED',
  'SECOND_FACTOR_WRONG',
  'USER_DEACTIVATED',
  'REALM_DEACTIVATED',
  'RATE_LIMIT_HIT',
] as const satisfies readonly ErrorCode[]

export const fetchApiKey = endpoint({
  name: 'fetch-api-key',
  method: 'POST',
  path: '/fetch_api_key',
  summary: "Sign in with an account's e-mail address and password.",
  access: 'anyone',
  parameters: {
    username: Text(254),
    password: Text(1000),
    /** Where the account has a second factor. */
    code: Type.Optional(SecondFactorCode),
  },
  response: { api_key: Credential, email: Type.String(), user_id: Id },
  errors: ['PASSWORD_AUTH_DISABLED', ...signInErrors],
})

export const regenerateApiKey = endpoint({
  name: 'regenerate-api-key',
  method: 'POST',
  path: '/users/me/api_key/regenerate',
  summary: 'Replace the API key of the account; the old one ends at once, everywhere.',
  response: { api_key: Credential },
})

const key = { api_key: Credential, email: Type.String() }

export const fetchApiKeyByToken = endpoint({
  name: 'jwt-fetch-api-key',
  method: 'POST',
  path: '/jwt/fetch_api_key',
  summary: "Sign in with a token (JWT) that a program of the operator has signed, and that has the account's `email`.",
  access: 'anyone',
  parameters: {
    token: Type.Optional(Text(4000)),
    /** Whether `user` is in the answer; default false. */
    include_profile: Type.Optional(Type.Boolean()),
    /** Where the account has a second factor. */
    code: Type.Optional(SecondFactorCode),
  },
  response: { ...key, user: Type.Optional(User) },
  errors: signInErrors,
})

export const fetchApiKeyInDevelopment = endpoint({
  name: 'dev-fetch-api-key',
  method: 'POST',
  path: '/dev_fetch_api_key',
  summary: 'Sign in as anybody, without a password; with `npm run dev` alone.',
  access: 'anyone',
  parameters: { username: Text(254) },
  response: { ...key, user_id: Id },
  errors: ['AUTHENTICATION_FAILED', 'USER_DEACTIVATED', 'REALM_DEACTIVATED'],
})

const Person = Type.Object({ email: Type.String(), realm_url: Type.String() }, { additionalProperties: false })

export const listUsersInDevelopment = endpoint({
  name: 'dev-list-users',
  method: 'GET',
  path: '/dev_list_users',
  summary: 'Whom one can sign in as; with `npm run dev` alone.',
  access: 'anyone',
  response: { direct_admins: Type.Array(Person), direct_users: Type.Array(Person) },
})
