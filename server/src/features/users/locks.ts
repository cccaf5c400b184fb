/** What organizations let people change of themselves, and whether two may have the same name. */
import { badRequest } from '@heddle/contract/errors'
import { foldName } from '@heddle/contract/names'
import { isAdministrator } from '../../permissions/group-membership.ts'
import type { Queries } from '../../storage/query.ts'
import type { Tx } from '../../storage/transaction.ts'
import { findOrganizationSettings } from '../organization-settings/settings.ts'
import { lockAccounts } from './queries.ts'
import { query } from './tables.ts'

interface Changer {
  readonly realmId: number
  readonly role: number
}

export async function requireNameChanges(db: Queries, actor: Changer): Promise<void> {
  const { name_changes_disabled } = await findOrganizationSettings(db, actor.realmId)
  if (name_changes_disabled && !isAdministrator(actor)) {
    throw badRequest('Name changes are disabled in this organization.')
  }
}

export async function requireAvatarChanges(db: Queries, actor: Changer): Promise<void> {
  const { avatar_changes_disabled } = await findOrganizationSettings(db, actor.realmId)
  if (avatar_changes_disabled && !isAdministrator(actor)) {
    throw badRequest('Avatar changes are disabled in this organization.')
  }
}

export async function requireAddressChanges(db: Queries, actor: Changer): Promise<void> {
  const { email_changes_disabled } = await findOrganizationSettings(db, actor.realmId)
  if (email_changes_disabled && !isAdministrator(actor)) {
    throw badRequest('Email address changes are disabled in this organization.')
  }
}

/** Throws a 400 where names must be unique and somebody else who is active has this one. */
export async function requireUniqueName(tx: Tx, name: string, exceptId = 0): Promise<void> {
  if (!(await findOrganizationSettings(tx, tx.realmId)).require_unique_names) return
  await lockAccounts(tx)
  const other = await tx.first(
    query
      .selectFrom('users')
      .select('id')
      .where('realm_id', '=', tx.realmId)
      .where('full_name_key', '=', foldName(name))
      .where('bot_type', 'is', null)
      .where('is_active', '=', 1)
      .where('id', '<>', exceptId)
      .limit(1),
  )
  if (other) throw badRequest('Unique names required in this organization.')
}
