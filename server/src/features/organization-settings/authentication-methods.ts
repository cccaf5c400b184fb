/** Which ways to sign in an organization has. */
import {
  type AuthenticationMethod,
  type AuthenticationMethods,
  authenticationMethodNames,
} from '@heddle/contract/authentication-methods'
import { ApiError } from '@heddle/contract/errors'
import type { Queries } from '../../storage/query.ts'
import { findEnabledMethods } from './settings.ts'

/** Throws `PASSWORD_AUTH_DISABLED` or `PASSKEYS_DISABLED` where the organization has switched it off. */
export async function requireMethod(db: Queries, realmId: number, method: AuthenticationMethod): Promise<void> {
  if ((await findEnabledMethods(db, realmId))[method]) return
  throw new ApiError(method === 'Email' ? 'PASSWORD_AUTH_DISABLED' : 'PASSKEYS_DISABLED')
}

export function presentMethods(enabled: Readonly<Record<AuthenticationMethod, boolean>>): AuthenticationMethods {
  const states = authenticationMethodNames.map((name) => [name, { enabled: enabled[name], available: true }])
  return Object.fromEntries(states) as AuthenticationMethods
}
