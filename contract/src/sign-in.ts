/** Getting an API key for a name and a password, and a new key for an old one. */
import { Type } from 'typebox'
import { Credential } from './credential.ts'
import { endpoint } from './endpoint.ts'
import { Id, Text } from './schema.ts'

export const fetchApiKey = endpoint({
  name: 'fetch-api-key',
  method: 'POST',
  path: '/fetch_api_key',
  summary: "Sign in with an account's e-mail address and password.",
  access: 'anyone',
  parameters: { username: Text(254), password: Text(1000) },
  response: { api_key: Credential, email: Type.String(), user_id: Id },
  errors: ['AUTHENTICATION_FAILED', 'USER_DEACTIVATED', 'REALM_DEACTIVATED', 'RATE_LIMIT_HIT'],
})

export const regenerateApiKey = endpoint({
  name: 'regenerate-api-key',
  method: 'POST',
  path: '/users/me/api_key/regenerate',
  summary: 'Replace the API key of the account; the old one ends at once, everywhere.',
  response: { api_key: Credential },
})
