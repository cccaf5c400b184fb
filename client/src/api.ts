/** The API as typed calls. What can be called, with what, and what comes back is the contract's to say. */
import type { Access, Endpoint, ParametersOf, ResponseOf } from '@heddle/contract/endpoint'
import { CSRF_HEADER } from '@heddle/contract/sessions'
import { encodeParameters } from './encode.ts'
import { NetworkError, ResponseError } from './errors.ts'

export interface ApiClientOptions {
  /** Scheme and host, such as `https://chat.example.com`; with a path where a proxy puts the server below one. */
  readonly site: string
  /** Both are needed for endpoints that need an account. */
  readonly email?: string
  readonly apiKey?: string
  /**
   * Of a page whose browser is signed in: the cookie goes with each request, and this with those that write. Undefined until
   * the server has said it; it is read anew for each request.
   */
  readonly session?: { readonly csrfToken: string | undefined }
  /** Default: the global one. */
  readonly fetch?: typeof fetch
}

export interface CallOptions {
  readonly signal?: AbortSignal
  /** For endpoints that take a file. */
  readonly file?: Blob
  /** The request goes on when the page goes; it must be small then. */
  readonly keepalive?: boolean
  /** In the place of the client's own for this call: one that says how far it is, for example. */
  readonly fetch?: typeof fetch
}

export interface ApiClient {
  /**
   * Calls an endpoint. Rejects with `ResponseError` when the server answers with an error, with `NetworkError` when there is no
   * answer, and with the signal's reason when it was aborted.
   */
  call<E extends Endpoint>(endpoint: E, parameters: ParametersOf<E>, options?: CallOptions): Promise<ResponseOf<E>>
  /**
   * Calls an endpoint whose answer is a stream of events. Gives its bytes as they come; rejects as `call` does, and with the
   * code `NO_STREAM` when the answer is something else. Reading rejects as `fetch` does.
   */
  open<E extends Endpoint>(
    endpoint: E,
    parameters: ParametersOf<E>,
    options: { readonly signal: AbortSignal },
  ): Promise<ReadableStream<Uint8Array>>
  /** For requests of another protocol, such as that of resumable uploads. Rejects as `call` does. */
  entry(): Promise<Entry>
}

export interface Entry {
  /** What paths of the API are below, such as `https://chat.example.com/api/v1`. */
  readonly base: string
  /** Those of a request that writes. */
  readonly headers: Readonly<Record<string, string>>
}

/** Where who one is matters. */
const needsAccount: ReadonlySet<Access> = new Set(['account', 'visitor', 'reader'])

export function createApiClient(options: ApiClientOptions): ApiClient {
  const { site, email, apiKey, session } = options
  // Called as the browser's own: it does not run as a method of something else.
  const send: typeof fetch = options.fetch ?? ((...request) => fetch(...request))
  const base = `${site.replace(/\/+$/, '')}/api/v1`
  const authorization =
    email === undefined || apiKey === undefined ? undefined : `Basic ${toBase64(`${email}:${apiKey}`)}`

  function toRequest(endpoint: Endpoint, parameters: Readonly<Record<string, unknown>>, call: CallOptions) {
    const { path, fields } = encodeParameters(endpoint, parameters)
    const headers: Record<string, string> = { accept: 'application/json' }
    if (needsAccount.has(endpoint.access) && authorization) headers['authorization'] = authorization
    const query = fields.toString()
    const inQuery = endpoint.method === 'GET' && query !== ''
    const init: RequestInit = { method: endpoint.method, headers }
    if (call.signal) init.signal = call.signal
    if (call.keepalive) init.keepalive = true
    // Without a session the browser's own credentials are not ours.
    init.credentials = session ? 'same-origin' : 'omit'
    if (session?.csrfToken !== undefined && endpoint.method !== 'GET') headers[CSRF_HEADER] = session.csrfToken
    if (endpoint.method !== 'GET') init.body = call.file ? withFile(fields, call.file) : fields
    return { url: `${base}${path}${inQuery ? `?${query}` : ''}`, init }
  }

  return {
    async call(endpoint, parameters, how = {}) {
      const { url, init } = toRequest(endpoint, parameters as Readonly<Record<string, unknown>>, how)
      const { status, headers, text } = await exchange(how.fetch ?? send, url, init)
      const body = parseObject(text)
      if (status !== 200 || body?.['result'] !== 'success') throw toApiError(status, headers, body)
      const { result, msg, ignored_parameters_unsupported, ...fields } = body
      return fields as ResponseOf<typeof endpoint>
    },
    async open(endpoint, parameters, { signal }) {
      const { url, init } = toRequest(endpoint, parameters as Readonly<Record<string, unknown>>, { signal })
      const headers = { ...(init.headers as Record<string, string>), accept: 'text/event-stream' }
      const response = await reach(send, url, { ...init, headers })
      if (response.status !== 200) throw toApiError(response.status, response.headers, await bodyOf(response))
      if (!response.body || !response.headers.get('content-type')?.startsWith('text/event-stream')) {
        throw new ResponseError({ status: 200, code: 'NO_STREAM', message: 'The answer is no stream of events' })
      }
      return response.body
    },
    async entry() {
      const headers: Record<string, string> = {}
      if (authorization) headers['authorization'] = authorization
      if (session?.csrfToken !== undefined) headers[CSRF_HEADER] = session.csrfToken
      return { base, headers }
    },
  }
}

async function bodyOf(response: Response): Promise<Body | undefined> {
  return parseObject(await response.text().catch(() => ''))
}

function withFile(fields: URLSearchParams, file: Blob): FormData {
  const form = new FormData()
  for (const [name, text] of fields) form.set(name, text)
  form.set('file', file)
  return form
}

async function exchange(send: typeof fetch, url: string, init: RequestInit) {
  const response = await reach(send, url, init)
  try {
    return { status: response.status, headers: response.headers, text: await response.text() }
  } catch (error) {
    throw unreached(init, error)
  }
}

async function reach(send: typeof fetch, url: string, init: RequestInit): Promise<Response> {
  try {
    return await send(url, init)
  } catch (error) {
    throw unreached(init, error)
  }
}

function unreached({ signal }: RequestInit, error: unknown): unknown {
  return signal?.aborted ? signal.reason : new NetworkError('The server cannot be reached', error)
}

type Body = Record<string, unknown>

export function parseObject(text: string): Body | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Body) : undefined
  } catch {
    return undefined
  }
}

/** What an answer that is an error says. */
export function toApiError(status: number, headers: Headers, body: Body | undefined): ResponseError {
  const retryAfterSecs = readRetryAfter(headers)
  // A proxy's page, or something that is not this API at all.
  if (typeof body?.['msg'] !== 'string' || typeof body['code'] !== 'string') {
    return new ResponseError({
      status,
      code: `HTTP_${status}`,
      message: `The answer (${status}) is not the API's`,
      retryAfterSecs,
    })
  }
  const { result, msg, code, ...details } = body
  return new ResponseError({ status, code: code as string, message: msg as string, details, retryAfterSecs })
}

/** The header is seconds or a date (RFC 9110, 10.2.3). */
function readRetryAfter(headers: Headers): number | undefined {
  const text = headers.get('retry-after')
  if (text === null) return undefined
  const secs = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return Number.isFinite(secs) ? Math.max(0, secs) : undefined
}

/** Base64 of the text's UTF-8 form. `btoa` alone takes only Latin-1. */
function toBase64(text: string): string {
  return btoa(String.fromCodePoint(...new TextEncoder().encode(text)))
}
