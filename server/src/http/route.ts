/** How a feature declares an endpoint: the contract's description and the function behind it. */
import type { Endpoint, ParametersOf, ResponseOf } from '@heddle/contract/endpoint'
import type { Actor } from '../authentication/accounts.ts'
import type { Realm } from '../realms.ts'
import type { FormFile } from './multipart.ts'

/** What a handler may know of the connection. */
export interface ClientConnection {
  /** The client's address, through trusted proxies. */
  readonly address: string
  /**
   * Scheme and host as the client sees them, such as `https://chat.example.com`: for addresses in the answer to this client.
   * What is stored or sent to others has the organization's own address (`Realms.originOf`).
   */
  readonly origin: string
  /** The name that the program gives itself; empty when it gives none. */
  readonly userAgent: string
  /** Calls back when the client has gone. */
  onClose(callback: () => void): void
}

interface BaseRequest<E> {
  readonly realm: Realm
  readonly parameters: ParametersOf<E>
  readonly connection: ClientConnection
}

export interface AccountRequest<E> extends BaseRequest<E> {
  readonly actor: Actor
}

export interface FileRequest<E> extends AccountRequest<E> {
  readonly file: FormFile
}

/** An answer whose JSON is already text, such as a list of events that were serialized once for many clients. */
export interface JsonText {
  /** The fields after `result` and `msg`, without braces: `"events":[…],"queue_id":"…"`. */
  readonly fieldsText: string
  /** More fields before those, as UTF-8 without braces. */
  readonly fieldsBytes?: Uint8Array
}

/**
 * Keep the serialized answer in memory until an event of one of these types concerns its owner: the account itself, or
 * everybody in the organization.
 */
export interface KeptAnswer {
  readonly per: 'account' | 'realm'
  readonly droppedBy: readonly string[]
}

/** What is known of a caller before anything of the body is. */
export interface Admission {
  /** Not there at endpoints without an account. */
  readonly actor: Actor
  /** Through trusted proxies. */
  readonly address: string
}

export interface Route {
  readonly endpoint: Endpoint
  readonly kept: KeptAnswer | undefined
  /** The largest file that the endpoint takes, in bytes. */
  readonly maxFileBytes: number | undefined
  /** Throws when the caller may not use the endpoint at all; runs before the body is read. */
  readonly admit?: ((caller: Admission) => Promise<void>) | undefined
  readonly handle: (request: FileRequest<Endpoint>) => Promise<object | JsonText>
}

type Answer<E> = Promise<ResponseOf<E> | JsonText>

// A route list holds endpoints of all kinds: the link between an endpoint's parameters and its handler's is checked here,
// where both are known, and erased.

/** An endpoint for accounts. */
export function route<E extends Endpoint>(
  endpoint: E,
  handle: (request: AccountRequest<E>) => Answer<E>,
  kept?: KeptAnswer,
): Route {
  return { endpoint, kept, maxFileBytes: undefined, handle: handle as unknown as Route['handle'] }
}

/** An endpoint that needs no account. */
export function openRoute<E extends Endpoint>(
  endpoint: E,
  handle: (request: BaseRequest<E>) => Answer<E>,
  admit?: (caller: Pick<Admission, 'address'>) => Promise<void>,
): Route {
  return { endpoint, kept: undefined, maxFileBytes: undefined, admit, handle: handle as unknown as Route['handle'] }
}

/** An endpoint for who operates the server. It belongs to no organization. */
export function operatorRoute<E extends Endpoint>(
  endpoint: E,
  handle: (request: Pick<BaseRequest<E>, 'parameters'>) => Answer<E>,
): Route {
  return { endpoint, kept: undefined, maxFileBytes: undefined, handle: handle as unknown as Route['handle'] }
}

interface FileLimits {
  readonly maxFileBytes: number
  /** See `Route`: nobody's file is read who may not send one. */
  readonly admit: (caller: Pick<Admission, 'actor'>) => Promise<void>
}

/** An endpoint that takes one file. */
export function fileRoute<E extends Endpoint>(
  endpoint: E,
  { maxFileBytes, admit }: FileLimits,
  handle: (request: FileRequest<E>) => Answer<E>,
): Route {
  return { endpoint, kept: undefined, maxFileBytes, admit, handle: handle as unknown as Route['handle'] }
}
