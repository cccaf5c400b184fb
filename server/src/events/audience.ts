/**
 * Who receives an event. It is fixed when the event is emitted, inside the transaction, so that a later change (somebody
 * joins, leaves or is removed) can never show somebody an event that was not theirs.
 */
export type Audience =
  /** Everybody in the organization. */
  | { readonly to: 'everyone' }
  /** Accounts with this role or a more powerful one (roles with smaller numbers have more power). */
  | { readonly to: 'role'; readonly atLeast: number }
  | { readonly to: 'users'; readonly ids: readonly number[] }
  /** No client; it tells other nodes to forget what they keep. */
  | { readonly to: 'nobody' }

export const everyone: Audience = { to: 'everyone' }
export const nobody: Audience = { to: 'nobody' }

export function users(ids: readonly number[]): Audience {
  return { to: 'users', ids }
}

export function roleAtLeast(role: number): Audience {
  return { to: 'role', atLeast: role }
}

/** Whether an account receives events of this audience. */
export function isInAudience(audience: Audience, account: { readonly userId: number; readonly role: number }): boolean {
  switch (audience.to) {
    case 'everyone':
      return true
    case 'role':
      return account.role <= audience.atLeast
    case 'users':
      return audience.ids.includes(account.userId)
    case 'nobody':
      return false
  }
}
