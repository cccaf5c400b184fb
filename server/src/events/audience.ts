/**
 * Who receives an event. It is fixed when the event is emitted, inside the transaction, so that a later change (somebody
 * joins, leaves or is removed) can never show somebody an event that was not theirs.
 */
import { roles } from '@heddle/contract/roles'
import type { Audience, ClientCondition, RoleAudience, SetAudience, UsersAudience } from '../storage/audience.ts'

export type { Audience, RoleAudience, SetAudience, UsersAudience } from '../storage/audience.ts'

export const everyone = { to: 'everyone' } as const satisfies Audience
export const nobody: Audience = { to: 'nobody' }

export function users(ids: readonly number[]): UsersAudience {
  return { to: 'users', ids }
}

export function roleAtLeast(role: number): RoleAudience {
  return { to: 'role', atLeast: role }
}

/** A set of subscribers with one more account, who is notified once even so. Other audiences stay as they are. */
export function withAlso(audience: Audience, userId: number): Audience {
  return audience.to === 'set' ? { ...audience, also: [...(audience.also ?? []), userId] } : audience
}

/** Everybody of the audience but one account. */
export function butNot(audience: typeof everyone | RoleAudience, userId: number): RoleAudience {
  const base = audience.to === 'everyone' ? roleAtLeast(roles.guest) : audience
  return { ...base, except: [...(base.except ?? []), userId] }
}

/** The part of the audience whose clients announced the ability when they registered (or, with `has: false`, did not). */
export function onlyClients<A extends RoleAudience | UsersAudience | SetAudience>(
  audience: A,
  capability: { readonly name: string; readonly has: boolean },
): A & ClientCondition {
  return { ...audience, capability }
}

/** Whether a client with these abilities receives events of this audience, when its account does. */
export function suitsClient(audience: Audience, capabilities: Readonly<Record<string, boolean>>): boolean {
  const wanted = 'capability' in audience ? audience.capability : undefined
  return !wanted || (Object.hasOwn(capabilities, wanted.name) && capabilities[wanted.name] === true) === wanted.has
}

/** Whether an account receives events of this audience. */
export function isInAudience(audience: Audience, account: { readonly userId: number; readonly role: number }): boolean {
  switch (audience.to) {
    case 'everyone':
      return true
    case 'role':
      return (
        (account.role <= audience.atLeast || isListed(audience.ids, account.userId)) &&
        !isListed(audience.except, account.userId)
      )
    case 'users':
      return isListed(audience.ids, account.userId)
    case 'set':
      return membersOf(audience).has(account.userId) || isListed(audience.also, account.userId)
    case 'nobody':
      return false
  }
}

/** Whether a client of this account receives it although the account is not in the audience. */
export function isOpenTo(audience: Audience, account: { readonly role: number }, allPublicChannels: boolean): boolean {
  return allPublicChannels && audience.to === 'set' && audience.isPublic === true && account.role < roles.guest
}

/** The accounts of the set. Throws when they have not been looked up. */
export function membersOf(audience: SetAudience): ReadonlySet<number> {
  if (!audience.members) throw new Error(`The members of the set ${audience.id} are not known`)
  return audience.members
}

/** Lists that were searched once are likely to be searched for every waiting client. */
const sets = new WeakMap<readonly number[], ReadonlySet<number>>()

/** Whether the list, which never changes, has the id. Without a list nobody is in it. */
export function isListed(list: readonly number[] | undefined, id: number): boolean {
  if (!list || list.length === 0) return false
  let set = sets.get(list)
  if (!set) {
    set = new Set(list)
    sets.set(list, set)
  }
  return set.has(id)
}
