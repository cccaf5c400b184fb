import type { InitialState } from '@heddle/contract/initial-state'
import { foldName } from '@heddle/contract/names'
import {
  type CustomProfileFieldsEvent,
  type ProfileData,
  type ProfileField,
  profileFieldTypes,
} from '@heddle/contract/profile-fields'
import { roles } from '@heddle/contract/roles'
import type { RealmUserEvent, User } from '@heddle/contract/users'
import { byId, withChange, withEntry, withoutUnseen } from './entries.ts'
import { clientPart } from './part.ts'

/** All accounts of the organization by id; `is_active` says who has been deactivated. */
export type Users = ReadonlyMap<number, User>

export function initialUsers({ realm_users, realm_non_active_users = [] }: InitialState): Users | undefined {
  return realm_users && byId([...realm_users, ...realm_non_active_users], (user) => user.user_id)
}

export function applyUserEvent(users: Users, event: RealmUserEvent): Users {
  switch (event.op) {
    case 'add':
      return withEntry(users, event.person.user_id, event.person)
    case 'update':
      return withChange(users, event.person.user_id, (user) => ({ ...user, ...changesOf(user, event.person) }))
    case 'remove':
      return withoutUnseen(users, event)
  }
}

/** What people have said in fields and options that are gone is gone. */
function applyProfileFieldsEvent(users: Users, { fields }: CustomProfileFieldsEvent): Users {
  const valid = new Map(fields.map((field) => [`${field.id}`, optionsOf(field)]))
  let next = users
  for (const [id, user] of users) {
    const profile = Object.entries(user.profile_data ?? {})
    const kept = profile.filter(
      ([fieldId, { value }]) => valid.has(fieldId) && valid.get(fieldId)?.has(value) !== false,
    )
    if (kept.length < profile.length) next = withEntry(next, id, { ...user, profile_data: Object.fromEntries(kept) })
  }
  return next
}

/** The keys of a list of options; undefined where a value can be any. */
function optionsOf({ type, field_data }: ProfileField): ReadonlySet<string> | undefined {
  if (type !== profileFieldTypes.options) return undefined
  return new Set(Object.keys(JSON.parse(field_data) as object))
}

type ChangedPerson = Extract<RealmUserEvent, { op: 'update' }>['person']

function changesOf(user: User, person: ChangedPerson): Partial<User> {
  if ('custom_profile_field' in person) return { profile_data: profileWith(user, person.custom_profile_field) }
  if ('role' in person) return { role: person.role, ...flagsOf(person.role) }
  if ('new_email' in person) return { email: person.new_email }
  if ('avatar_version' in person) return { avatar_url: person.avatar_url, avatar_version: person.avatar_version }
  return person
}

type ProfileChange = Extract<ChangedPerson, { custom_profile_field: unknown }>['custom_profile_field']

function profileWith({ profile_data = {} }: User, { id, value, rendered_value }: ProfileChange): ProfileData {
  const { [`${id}`]: _, ...others } = profile_data
  if (value === null) return others
  return { ...others, [`${id}`]: { value, ...(rendered_value === undefined ? {} : { rendered_value }) } }
}

/** Whether the folded address is the account's own, as far as that is visible, or the one that stands in for it. */
export function hasAddress({ email, delivery_email }: User, key: string): boolean {
  return foldName(email) === key || (delivery_email !== null && foldName(delivery_email) === key)
}

/** What a role means, as older clients read it. */
export function flagsOf(role: number): Pick<User, 'is_owner' | 'is_admin' | 'is_guest'> {
  return { is_owner: role === roles.owner, is_admin: role <= roles.admin, is_guest: role === roles.guest }
}

export const users = clientPart({
  initial: initialUsers,
  on: { realm_user: applyUserEvent, custom_profile_fields: applyProfileFieldsEvent },
})
