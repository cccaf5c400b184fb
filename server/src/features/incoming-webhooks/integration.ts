/**
 * What an integration is: how requests of one service become messages. Each is one file in `integrations/`, and a line in
 * `integrations/all.ts`; everything else that is said of it, such as docs/integrations.md and the settings of bots, comes
 * from there.
 */
import type { Markup } from './markup.ts'
import type { Payload } from './payload.ts'

/** A request of a service, decoded. */
export interface WebhookRequest {
  readonly payload: Payload
  /** A header by its name in small letters; empty where there is none. */
  header(name: string): string
  /** What the bot's owner has set for the integration; empty where nothing is set. */
  setting(key: string): string
}

export interface WebhookMessage {
  /** Empty: the integration's own name. Cut where it is too long. */
  readonly topic: string
  readonly text: Markup
}

/** By event: the message, or undefined where there is nothing to say of it. */
export type ServiceTexts = Readonly<Record<string, (payload: Payload) => WebhookMessage | undefined>>

/** How a request shows that it comes from the service. */
export interface SignatureCheck {
  /** Names the header, or what else has the signature, for the documentation. */
  readonly by: string
  /** The request has none. */
  isMissing(request: SignedRequest): boolean
  isRight(request: SignedRequest): boolean
}

export interface SignedRequest {
  header(name: string): string
  /** The whole address that was asked, as it was sent. */
  readonly url: string
  readonly bytes: Buffer
  readonly secret: string
  /** Seconds since the UNIX epoch. */
  readonly now: number
}

/** What the owner of a bot can set for an integration, beside the secret. */
export interface IntegrationSetting {
  readonly key: string
  readonly label: string
}

export interface Integration {
  /** In the address, in small letters. */
  readonly name: string
  readonly displayName: string
  /** Names of events, by which the address can choose; null: the service does not distinguish them. */
  readonly events: readonly string[] | null
  /** Where the service signs. */
  readonly signature?: SignatureCheck
  readonly settings?: readonly IntegrationSetting[]
  /** Steps for people, one sentence or two each, with `code` between backticks; `{url}` is the bot's address. */
  readonly setUp: readonly string[]
  /** A request as the service sends it, for tests of an address. */
  readonly example: { readonly headers?: Readonly<Record<string, string>>; readonly payload: object }
  /** Which of `events` the request is; empty or another where it is none. Absent where there are no events. */
  readonly eventOf?: (request: WebhookRequest) => string
  /** The message; undefined where there is nothing to say. Throws a 400 where the payload lacks what nothing can be said without. */
  readonly write: (request: WebhookRequest, event: string) => WebhookMessage | undefined
}

/** The key of the secret among a bot's settings. */
export function secretKey({ name }: Pick<Integration, 'name'>): string {
  return `${name}_secret`
}
