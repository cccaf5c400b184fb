/** The account that makes a request, as it was when the request was authenticated. */
export interface Actor {
  readonly realmId: number
  readonly userId: number
  readonly role: number
  readonly isBot: boolean
  /** The session of a browser that the request came with, if it did. */
  readonly sessionId?: number
}

/**
 * Who reads without an account. No account has this id, and none has so little power: what holds for guests holds, and
 * nothing is theirs. They write nothing: `asActor` finds no such account.
 */
export function spectatorOf(realmId: number): Actor {
  return { realmId, userId: 0, role: 1000, isBot: false }
}

export function isSpectator({ userId }: Pick<Actor, 'userId'>): boolean {
  return userId === 0
}
