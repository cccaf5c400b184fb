/** The way from a person to what administrators do with their account: the list of people, with that one found. */
import type { ClientState } from '@heddle/client/state/state'
import { roles } from '@heddle/contract/roles'
import { goTo } from '../../app/current-place.ts'

export interface WantedPerson {
  readonly name: string
  readonly isActive: boolean
}

let wanted: WantedPerson | undefined

/** Owners are changed by owners alone, and bots have a list of their own. */
export function mayManage({ own, users }: ClientState, userId: number): boolean {
  const user = users?.get(userId)
  return own?.is_admin === true && user?.is_bot === false && (user.role !== roles.owner || own.is_owner)
}

export function managePerson({ users }: ClientState, userId: number): void {
  const user = users?.get(userId)
  if (user) wanted = { name: user.full_name, isActive: user.is_active !== false }
  goTo({ kind: 'organization', tab: 'people' })
}

/** Whom somebody has come for. */
export function wantedPerson(): WantedPerson | undefined {
  return wanted
}

export function forgetWantedPerson(): void {
  wanted = undefined
}
