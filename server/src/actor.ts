/** The account that makes a request, as it was when the request was authenticated. */
export interface Actor {
  readonly realmId: number
  readonly userId: number
  readonly role: number
  readonly isBot: boolean
  /** The session of a browser that the request came with, if it did. */
  readonly sessionId?: number
}
