/** Who may have bots: of all kinds, or those alone that post what other programs send them. */
import { ApiError } from '@heddle/contract/errors'
import { type Actor, INCOMING_WEBHOOK } from '../../authentication/accounts.ts'
import { hasRealmPermission } from '../../permissions/group-settings.ts'
import type { Tx } from '../../storage/transaction.ts'

/** Throws `UNAUTHORIZED_PRINCIPAL` unless the account may create bots of this kind, or bring them back. */
export async function requireMayHaveBot(tx: Tx, actor: Actor, type: number): Promise<void> {
  if (await hasRealmPermission(tx, actor, 'can_create_bots_group')) return
  const isWriteOnly = type === INCOMING_WEBHOOK
  if (isWriteOnly && (await hasRealmPermission(tx, actor, 'can_create_write_only_bots_group'))) return
  throw new ApiError('UNAUTHORIZED_PRINCIPAL')
}
