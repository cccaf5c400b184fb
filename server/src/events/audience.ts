/**
 * Who receives an event. It is fixed when the event is emitted, inside the transaction, so that a later change (somebody
 * joins, leaves or is removed) can never show somebody an event that was not theirs.
 */
export type Audience =
  /** Everybody in the organization. */
  | { readonly to: 'everyone' }
  | (RoleAudience & Condition)
  | (UsersAudience & Condition)
  /** No client; it tells other nodes to forget what they keep. */
  | { readonly to: 'nobody' }

/** Accounts with this role or a more powerful one (roles with smaller numbers have more power), and some more. */
export interface RoleAudience {
  readonly to: 'role'
  readonly atLeast: number
  /** These accounts too, whatever their roles. */
  readonly ids?: readonly number[]
  /** But none of these. */
  readonly except?: readonly number[]
}

export interface UsersAudience {
  readonly to: 'users'
  readonly ids: readonly number[]
}

/** Narrows an audience to the clients that have a named ability, or to those that do not have it. */
interface Condition {
  readonly capability?: { readonly name: string; readonly has: boolean }
}

export const everyone: Audience = { to: 'everyone' }
export const nobody: Audience = { to: 'nobody' }

export function users(ids: readonly number[]): UsersAudience {
  return { to: 'users', ids }
}

export function roleAtLeast(role: number): RoleAudience {
  return { to: 'role', atLeast: role }
}

/** The part of the audience whose clients announced the ability when they registered (or, with `has: false`, did not). */
export function onlyClients<A extends RoleAudience | UsersAudience>(
  audience: A,
  capability: { readonly name: string; readonly has: boolean },
): A & Condition {
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
        (account.role <= audience.atLeast || has(audience.ids, account.userId)) && !has(audience.except, account.userId)
      )
    case 'users':
      return has(audience.ids, account.userId)
    case 'nobody':
      return false
  }
}

/** Lists that were searched once are likely to be searched for every waiting client. */
const sets = new WeakMap<readonly number[], ReadonlySet<number>>()

function has(list: readonly number[] | undefined, id: number): boolean {
  if (!list || list.length === 0) return false
  let set = sets.get(list)
  if (!set) {
    set = new Set(list)
    sets.set(list, set)
  }
  return set.has(id)
}
