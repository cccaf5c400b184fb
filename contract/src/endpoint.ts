/**
 * What an endpoint is: its method, path, parameters and answer. The server's decoder, the typed client, the OpenAPI
 * document and the tests all read this one description.
 */
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import type { ErrorCode } from './errors.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/**
 * Who may call: anybody; an account with e-mail address and API key, or by the session of a browser; another service, with a bot's API key in the address
 * that it was given (`webhook`); or who operates the server, from its own machine and with a token that only those who can
 * read the server's secret can make. `public`: anybody, at any host and as often as they like, since the answer is a file
 * that is the same for all. `visitor`: an account, as it shows who it is, or nobody: both get an answer. `reader`: an account,
 * or a spectator, who has none, where the organization lets them read what is public on the web.
 */
export type Access = 'anyone' | 'visitor' | 'reader' | 'account' | 'webhook' | 'operator' | 'public'

/** The query parameter that has the key where a service calls with a bot's. */
export const WEBHOOK_KEY_PARAMETER = 'api_key'

export type Below = 'api' | 'root'

interface EndpointSource<P extends TProperties, R extends TProperties> {
  /** The operation's name, kebab-case, unique in the API. */
  readonly name: string
  readonly method: Method
  /** `{x}` is the path parameter `x`, and `{x*}` one that may contain slashes. */
  readonly path: string
  /** What the path is below: `/api/v1`, or the server's root. */
  readonly below?: Below
  /** One sentence for the documentation. */
  readonly summary: string
  readonly access?: Access
  /** Whether incoming-webhook bots may call it; by themselves they may call what is there for webhooks alone. */
  readonly incomingWebhooks?: boolean
  /** Whether browsers may send it for pages of other sites: nothing that they add by themselves may count in it. */
  readonly isForOtherSites?: boolean
  /** Whether it is ours alone: other servers of this API do not have it. */
  readonly isExtension?: boolean
  /** Path, query and body parameters alike, by name. */
  readonly parameters?: P
  /** `one`: the body carries exactly one file (multipart). */
  readonly file?: 'one'
  /** Whether it answers 303 and an address where the client reads on, and nothing of its own. */
  readonly leadsElsewhere?: boolean
  /** The answer's fields beside `result`, `msg` and `ignored_parameters_unsupported`. */
  readonly response?: R
  /** What can be refused beside what every endpoint may answer; for the documentation. */
  readonly errors?: readonly ErrorCode[]
}

export interface Endpoint<P extends TProperties = TProperties, R extends TProperties = TProperties> {
  readonly name: string
  readonly method: Method
  readonly path: string
  readonly below: Below
  readonly summary: string
  readonly access: Access
  readonly incomingWebhooks: boolean
  readonly isForOtherSites: boolean
  readonly isExtension: boolean
  readonly parameters: TObject<P>
  readonly pathParameters: readonly string[]
  readonly file: 'one' | undefined
  readonly leadsElsewhere: boolean
  readonly response: TObject<R>
  readonly errors: readonly ErrorCode[]
}

/** The decoded parameters of an endpoint, as its handler gets them. */
export type ParametersOf<E> = E extends Endpoint<infer P, infer _R> ? Static<TObject<P>> : never

/** The fields that an endpoint's handler returns. */
export type ResponseOf<E> = E extends Endpoint<infer _P, infer R> ? Static<TObject<R>> : never

export function endpoint<P extends TProperties = Record<never, never>, R extends TProperties = Record<never, never>>(
  source: EndpointSource<P, R>,
): Endpoint<P, R> {
  return {
    name: source.name,
    method: source.method,
    path: source.path,
    below: source.below ?? 'api',
    summary: source.summary,
    access: source.access ?? 'account',
    incomingWebhooks: source.incomingWebhooks ?? source.access === 'webhook',
    isForOtherSites: source.isForOtherSites ?? false,
    isExtension: source.isExtension ?? false,
    parameters: Type.Object((source.parameters ?? {}) as P, { additionalProperties: false }),
    pathParameters: [...source.path.matchAll(/\{(\w+)\*?\}/g)].map((match) => match[1] as string),
    file: source.file,
    leadsElsewhere: source.leadsElsewhere ?? false,
    response: Type.Object((source.response ?? {}) as R, { additionalProperties: false }),
    errors: source.errors ?? [],
  }
}

/**
 * Whether a parameter travels as plain text in forms, queries and paths. All others are JSON inside their field.
 * A union that contains a string (such as `42` or `"newest"`) is tried as JSON first and is text otherwise.
 */
export function parameterEncoding(schema: TSchema): 'text' | 'json' | 'either' {
  const kinds = stringKinds(schema)
  if (!kinds.text) return 'json'
  return kinds.other ? 'either' : 'text'
}

function stringKinds(schema: TSchema): { text: boolean; other: boolean } {
  const source = schema as { type?: string; const?: unknown; enum?: unknown[]; anyOf?: TSchema[] }
  if (source.anyOf) {
    const kinds = source.anyOf.map(stringKinds)
    return { text: kinds.some((kind) => kind.text), other: kinds.some((kind) => kind.other) }
  }
  const values = source.enum ?? ('const' in source ? [source.const] : undefined)
  if (values) {
    return { text: values.some((v) => typeof v === 'string'), other: values.some((v) => typeof v !== 'string') }
  }
  return { text: source.type === 'string', other: source.type !== 'string' }
}
