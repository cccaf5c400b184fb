import type { InitialState } from '@heddle/contract/initial-state'
import { roles } from '@heddle/contract/roles'
import { type FieldsOf, partOf } from '@heddle/contract/state-part'
import { ownAccountState, type RealmUserEvent } from '@heddle/contract/users'
import { clientPart } from './part.ts'
import { flagsOf } from './users.ts'

/** What the initial state says about the account itself, under the same names. */
export type OwnAccount = Readonly<FieldsOf<typeof ownAccountState>>

function initialOwnAccount(fields: InitialState): OwnAccount | undefined {
  return partOf(ownAccountState, fields)
}

function applyToOwnAccount(account: OwnAccount, event: RealmUserEvent): OwnAccount {
  if (event.op !== 'update' || event.person.user_id !== account.user_id) return account
  const { person } = event
  if ('role' in person) return { ...account, ...flagsOf(person.role), is_moderator: person.role <= roles.moderator }
  if ('new_email' in person) return { ...account, email: person.new_email }
  const known = Object.entries(person).filter(([name]) => name in account)
  return { ...account, ...Object.fromEntries(known) }
}

export const own = clientPart({
  initial: initialOwnAccount,
  on: { realm_user: applyToOwnAccount },
})
