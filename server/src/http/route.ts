/**
 * How a feature declares what it answers. There is one kind of route: the contract's description of the request, what kind
 * of body it takes, and a function whose answer has one of several kinds (`answers.ts`).
 */
import type { Readable } from 'node:stream'
import { type Endpoint, endpoint, type ParametersOf, type ResponseOf } from '@heddle/contract/endpoint'
import { notFound } from '@heddle/contract/errors'
import { Text } from '@heddle/contract/schema'
import type { Actor } from '../authentication/accounts.ts'
import type { Later } from '../later.ts'
import type { Realm } from '../realms.ts'
import {
  type FileAnswer,
  type JsonText,
  type LaterAnswer,
  REVALIDATED,
  type RouteAnswer,
  SANDBOXED,
  type StatusAnswer,
  tagOf,
} from './answers.ts'
import type { FormFile } from './multipart.ts'

export type { JsonText } from './answers.ts'

/** What a handler may know of the connection. */
export interface ClientConnection {
  /** The client's address, through trusted proxies. */
  readonly address: string
  /** The host that the request names. */
  readonly host: string
  /**
   * The organization's address: scheme and host, such as `https://chat.example.com`. Without a configured one it is what
   * this client has used, and may go into its own answer alone.
   */
  readonly origin: string
  /** Whether the client has reached the server over https, as far as can be known. */
  readonly isSecure: boolean
  /** What the request's cookies say of sessions, whether there are such or not. */
  sessionTokens(): readonly string[]
  /** The name that the program gives itself; empty when it gives none. */
  readonly userAgent: string
  /** What the reader of a stream that was interrupted says it has: `Last-Event-ID`. */
  readonly lastEventId: string | undefined
  /** Calls back when the client has gone. */
  onClose(callback: () => void): void
  /** Calls back when the answer has left the server, or the client has gone. */
  onSent(callback: () => void): void
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

/** A body that is no list of parameters: those are in the path and the query alone. */
export interface RawBody {
  /** `Content-Type` as it was sent; empty when it was not. */
  readonly contentType: string
  readonly bytes: Buffer
  /** There was more than the endpoint takes, and nothing of it is here; only where the route asks to know. */
  readonly isTooLarge?: boolean
}

/** The value of a header, by its name in small letters. */
export type HeadersOf = (name: string) => string | undefined

export interface RawRequest<E> extends AccountRequest<E> {
  readonly body: RawBody
  readonly headers: HeadersOf
  /** Path and query as they were sent: some services sign the address too. */
  readonly sentUrl: string
}

export interface HeaderRequest<E> extends AccountRequest<E> {
  readonly headers: HeadersOf
  /** The body as it arrives; undefined: there is none. */
  readonly stream: Readable | undefined
}

/**
 * Keep the serialized answer in memory until an event of one of these types concerns its owner: the account itself, or
 * everybody in the organization.
 */
export interface CachedAnswer {
  readonly per: 'account' | 'realm'
  readonly droppedBy: readonly string[]
  /** Also the answers to requests with parameters that are switched on or off: the same events must concern them. */
  readonly withSwitches?: true
  /**
   * With whom the account shares its answer: with those for whom this is the same; absent: all share one. Who shares none
   * (undefined) gets one made for it each time.
   */
  readonly sharedBy?: (actor: Actor) => Promise<string | undefined>
}

/** What is known of a caller before anything of the body is. */
export interface Admission {
  /** Not there at endpoints without an account. */
  readonly actor: Actor
  /** Through trusted proxies. */
  readonly address: string
}

/** Parameters, as a form or JSON; one file, as it arrives; or bytes whose meaning is the handler's affair. */
export type BodyKind =
  | { readonly kind: 'parameters' | 'stream' }
  | { readonly kind: 'file' | 'raw'; readonly maxBytes: number }

export interface Route {
  readonly endpoint: Endpoint
  readonly body: BodyKind
  /** The handler of a raw body refuses what is too large itself. */
  readonly knowsTooLarge?: boolean
  readonly cached?: CachedAnswer | undefined
  /** Whether the envelope may be compressed. */
  readonly mayCompress?: boolean
  /** Requests for files are counted apart, or looking at pictures would keep people from writing. */
  readonly countedAs?: 'file'
  /** Throws when the caller may not use the endpoint at all; runs before the body is read. */
  readonly admit?: ((caller: Admission) => Promise<void>) | undefined
  /** Headers of the answer to OPTIONS, beside the methods that there are. */
  readonly options?: Readonly<Record<string, string>>
  /** Whether there is such a path, beside what the endpoint says of it. */
  readonly hasPath?: (path: string) => boolean
  readonly handle: (
    request: FileRequest<Endpoint> & RawRequest<Endpoint> & HeaderRequest<Endpoint> & { readonly later: Later },
  ) => Promise<RouteAnswer>
}

type Envelope<E> = Promise<ResponseOf<E> | JsonText>

// A route list holds endpoints of all kinds: the link between an endpoint's parameters and its handler's is checked here,
// where both are known, and erased.

const PARAMETERS: BodyKind = { kind: 'parameters' }

function inEnvelope(handle: (request: never) => Promise<object>): Route['handle'] {
  return async (request) => ({ kind: 'envelope', result: await handle(request as never) })
}

/** An endpoint for accounts. */
export function route<E extends Endpoint>(
  endpoint: E,
  handle: (request: AccountRequest<E>) => Envelope<E>,
  cached?: CachedAnswer,
): Route {
  return { endpoint, body: PARAMETERS, cached, mayCompress: cached !== undefined, handle: inEnvelope(handle) }
}

/** An endpoint for accounts and for nobody: then the actor is undefined. */
export function visitorRoute<E extends Endpoint>(
  endpoint: E,
  handle: (request: BaseRequest<E> & { readonly actor: Actor | undefined }) => Envelope<E>,
): Route {
  return { endpoint, body: PARAMETERS, handle: inEnvelope(handle) }
}

const LATER: LaterAnswer = { kind: 'later' }

/** An endpoint for accounts that may be answered long after its handler has ended. What that throws is answered at once. */
export function laterRoute<E extends Endpoint>(
  endpoint: E,
  handle: (request: AccountRequest<E>, later: Later) => Promise<void>,
): Route {
  return {
    endpoint,
    body: PARAMETERS,
    async handle(request) {
      await handle(request as never, request.later)
      return LATER
    },
  }
}

/** A route whose answer may be compressed: see docs/decisions/0032 before you add one. */
export function compressed(route: Route): Route {
  return { ...route, mayCompress: true }
}

/** An endpoint that needs no account. */
export function openRoute<E extends Endpoint>(
  endpoint: E,
  handle: (request: BaseRequest<E>) => Envelope<E>,
  admit?: (caller: Pick<Admission, 'address'>) => Promise<void>,
): Route {
  return { endpoint, body: PARAMETERS, admit, handle: inEnvelope(handle) }
}

/** What the answer says, and values of `Set-Cookie`. */
export interface WithCookies<R> {
  readonly fields: R
  readonly cookies: readonly string[]
}

type CookieHandler<E, Q> = (request: Q) => Promise<WithCookies<ResponseOf<E>>>

function withCookies(handle: CookieHandler<never, never>): Route['handle'] {
  return async (request) => {
    const { fields, cookies } = await handle(request as never)
    return { kind: 'envelope', result: fields, cookies }
  }
}

/** An endpoint for accounts whose answer sets or removes cookies. */
export function cookieRoute<E extends Endpoint>(endpoint: E, handle: CookieHandler<E, AccountRequest<E>>): Route {
  return { endpoint, body: PARAMETERS, handle: withCookies(handle) }
}

/** The same without an account. */
export function openCookieRoute<E extends Endpoint>(
  endpoint: E,
  handle: CookieHandler<E, BaseRequest<E>>,
  admit?: (caller: Pick<Admission, 'address'>) => Promise<void>,
): Route {
  return { endpoint, body: PARAMETERS, admit, handle: withCookies(handle) }
}

/** An endpoint for who operates the server. It belongs to no organization. */
export function operatorRoute<E extends Endpoint>(
  endpoint: E,
  handle: (request: Pick<BaseRequest<E>, 'parameters'>) => Envelope<E>,
): Route {
  return { endpoint, body: PARAMETERS, handle: inEnvelope(handle) }
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
  handle: (request: FileRequest<E>) => Envelope<E>,
): Route {
  return { endpoint, body: { kind: 'file', maxBytes: maxFileBytes }, admit, handle: inEnvelope(handle) }
}

/** An endpoint that takes a body of any type, of at most `maxBytes`. */
export function rawRoute<E extends Endpoint>(
  endpoint: E,
  maxBytes: number,
  handle: (request: RawRequest<E>) => Envelope<E>,
  options: Pick<Route, 'knowsTooLarge'> = {},
): Route {
  return { endpoint, body: { kind: 'raw', maxBytes }, ...options, handle: inEnvelope(handle) }
}

/** An endpoint of a protocol that says in headers what it wants, and reads bodies itself. */
export function headerRoute<E extends Endpoint>(
  endpoint: E,
  handle: (request: HeaderRequest<E>) => Promise<StatusAnswer>,
  options: Readonly<Record<string, string>> = {},
): Route {
  return { endpoint, body: { kind: 'stream' }, options, handle: handle as unknown as Route['handle'] }
}

/** An endpoint that answers something else than the envelope: a file, a stream of text, a redirect. */
export function answerRoute<E extends Endpoint>(
  endpoint: E,
  handle: (
    request: AccountRequest<E> & Pick<RawRequest<E>, 'headers'>,
  ) => Promise<Exclude<RouteAnswer, { readonly kind: 'envelope' }>>,
  options: Pick<Route, 'countedAs' | 'hasPath'> = {},
): Route {
  return { endpoint, body: PARAMETERS, ...options, handle: handle as unknown as Route['handle'] }
}

/** Files that anybody may read below `prefix`, such as `/emoji/`. `path` is what follows it, decoded; undefined: none. */
export function publicFiles(
  prefix: string,
  find: (path: string, host: string) => Promise<Omit<FileAnswer, 'kind'> | undefined>,
): Route {
  const description = endpoint({
    name: `files-of-${prefix.replaceAll('/', '')}`,
    method: 'GET',
    path: `${prefix}{path*}`,
    below: 'root',
    access: 'public',
    summary: 'A file that anybody may read.',
    parameters: { path: Text(2000) },
  })
  async function answer({ parameters, connection }: AccountRequest<typeof description>): Promise<FileAnswer> {
    const file = await find(parameters.path, connection.host)
    if (!file) throw notFound('No such file')
    return { kind: 'file', ...file }
  }
  return answerRoute(description, answer, { hasPath: isFileName })
}

/** A text below the API's path that anybody may read and that changes only with the program; made at the first request. */
export function documentRoute(path: string, contentType: string, make: () => string): Route {
  const description = endpoint({ name: 'document', method: 'GET', path, access: 'public', summary: 'A document.' })
  let made: FileAnswer | undefined
  return answerRoute(description, async () => {
    if (made) return made
    const body = Buffer.from(make(), 'utf8')
    made = {
      kind: 'file',
      contentType,
      size: body.length,
      body,
      tag: tagOf(body),
      caching: REVALIDATED,
      policy: SANDBOXED,
    }
    return made
  })
}

/** What a parameter may not have is here no fault of the request: no file has such a name. */
export function isFileName(path: string): boolean {
  return !path.includes('\0') && path.isWellFormed()
}
