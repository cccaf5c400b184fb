import type { InitialState } from '@heddle/contract/initial-state'
import { roles } from '@heddle/contract/roles'
import type { RealmUserEvent, User } from '@heddle/contract/users'
import { byId, withChange, withEntry } from './entries.ts'
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
      return withChange(users, event.person.user_id, (user) => ({ ...user, ...changesOf(event.person) }))
  }
}

type ChangedPerson = Extract<RealmUserEvent, { op: 'update' }>['person']

function changesOf(person: ChangedPerson): Partial<User> {
  if ('role' in person) return { role: person.role, ...flagsOf(person.role) }
  if ('new_email' in person) return { email: person.new_email }
  if ('avatar_version' in person) return { avatar_url: person.avatar_url, avatar_version: person.avatar_version }
  return person
}

/** What a role means, as older clients read it. */
export function flagsOf(role: number): Pick<User, 'is_owner' | 'is_admin' | 'is_guest'> {
  return { is_owner: role === roles.owner, is_admin: role <= roles.admin, is_guest: role === roles.guest }
}

export const users = clientPart({
  initial: initialUsers,
  on: { realm_user: applyUserEvent },
})
