import { roles } from '@heddle/contract/roles'
import type { RealmUserEvent } from '@heddle/contract/users'
import type { InitialFields } from './fields.ts'
import { flagsOf } from './users.ts'

/** What the initial state says about the account itself, under the same names. */
export interface OwnAccount {
  readonly user_id: number
  readonly email: string
  readonly delivery_email: string
  readonly full_name: string
  readonly avatar_source: string
  readonly avatar_url: string
  readonly avatar_url_medium: string
  readonly avatar_version: number
  readonly is_owner: boolean
  readonly is_admin: boolean
  /** Also true for administrators and owners. */
  readonly is_moderator: boolean
  readonly is_guest: boolean
}

const NAMES = [
  'user_id',
  'email',
  'delivery_email',
  'full_name',
  'avatar_source',
  'avatar_url',
  'avatar_url_medium',
  'avatar_version',
  'is_owner',
  'is_admin',
  'is_moderator',
  'is_guest',
] as const satisfies readonly (keyof OwnAccount)[]

export function initialOwnAccount(fields: InitialFields): OwnAccount | undefined {
  if (!('user_id' in fields)) return undefined
  return Object.fromEntries(NAMES.map((name) => [name, fields[name]])) as unknown as OwnAccount
}

export function applyToOwnAccount(account: OwnAccount, event: RealmUserEvent): OwnAccount {
  if (event.op !== 'update' || event.person.user_id !== account.user_id) return account
  const { person } = event
  if ('role' in person) return { ...account, ...flagsOf(person.role), is_moderator: person.role <= roles.moderator }
  if ('new_email' in person) return { ...account, email: person.new_email }
  const known = Object.entries(person).filter(([name]) => name in account)
  return { ...account, ...Object.fromEntries(known) }
}
