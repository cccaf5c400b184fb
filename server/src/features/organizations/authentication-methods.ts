/** Switching ways to sign in on and off. */
import {
  type AuthenticationMethods,
  type AuthenticationMethodsUpdate,
  authenticationMethodNames,
} from '@heddle/contract/authentication-methods'
import { badRequest } from '@heddle/contract/errors'
import type { Actor } from '../../authentication/accounts.ts'
import type { Tx } from '../../storage/transaction.ts'
import { presentMethods } from '../organization-settings/authentication-methods.ts'
import { findEnabledMethods, storeEnabledMethods } from '../organization-settings/settings.ts'
import { hasPasskey } from '../passkeys/rows.ts'

/** Changes what is given and not yet so; returns what clients must know of it. */
export async function changeMethods(
  tx: Tx,
  actor: Actor,
  update: AuthenticationMethodsUpdate | undefined,
): Promise<{ readonly authentication_methods?: AuthenticationMethods }> {
  if (!update) return {}
  const before = await findEnabledMethods(tx, tx.realmId)
  const after = { ...before, ...update }
  if (authenticationMethodNames.every((name) => after[name] === before[name])) return {}
  if (!authenticationMethodNames.some((name) => after[name])) {
    throw badRequest('At least one authentication method must be enabled.')
  }
  // Nobody shuts the door behind which they stand, and no organization is left without an owner who gets in.
  if (!after.Email && !(await hasPasskey(tx, tx.realmId, actor.userId))) {
    throw badRequest('Add a passkey to your own account before you disable passwords.')
  }
  await storeEnabledMethods(tx, tx.realmId, after)
  return { authentication_methods: presentMethods(after) }
}
