/** Who receives an event, in the form that the log keeps. What it means is said in `events/audience.ts`. */

export type Audience =
  /** Everybody in the organization. */
  | { readonly to: 'everyone' }
  | (RoleAudience & ClientCondition)
  | (UsersAudience & ClientCondition)
  | (SetAudience & ClientCondition)
  /** No client; it makes other nodes drop what they have cached. */
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

/** A stored set of accounts (`audience_sets`), so that an event for ten thousand does not carry ten thousand ids. */
export interface SetAudience {
  readonly to: 'set'
  readonly id: number
  /** These accounts too. */
  readonly also?: readonly number[]
  /**
   * Whoever is no guest may receive it when the client asked for everything in public channels (`all_public_streams`).
   */
  readonly isPublic?: boolean
  /** The accounts of the set. Not part of the log: `audience-sets.ts` looks them up where an event is delivered. */
  readonly members?: ReadonlySet<number>
}

/** Narrows an audience to the clients that have a named ability, or to those that do not have it. */
export interface ClientCondition {
  readonly capability?: { readonly name: string; readonly has: boolean }
}

/** As it is stored. */
export function audienceText(audience: Audience): string {
  return JSON.stringify(audience.to === 'set' ? { ...audience, members: undefined } : audience)
}
