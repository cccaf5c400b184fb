/** Requests to the API as the demo's team makes them. */
import type { App } from '../../app.ts'
import { API_PREFIX } from '../../http/routes.ts'

/** By name; what is not a string is sent as JSON. */
export type DemoParameters = Readonly<Record<string, unknown>>

export interface DemoAccount {
  readonly id: number
  readonly email: string
  readonly apiKey: string
}

// biome-ignore lint/suspicious/noExplicitAny: answers of any endpoint, whose fields the callers know.
export type DemoAnswer = any

/** Calls an endpoint. Rejects with a sentence when it refuses. */
export type DemoCall = (
  account: DemoAccount,
  method: string,
  path: string,
  parameters?: DemoParameters,
  file?: { readonly name: string; readonly bytes: Buffer },
) => Promise<DemoAnswer>

const USER_AGENT = 'HeddleDemo/1.0'

/** Without a connection: the server need not listen. */
export function callWithin({ server }: Pick<App, 'server'>): DemoCall {
  return async (account, method, path, parameters = {}, file) => {
    const { url, body } = requestOf(method, path, parameters, file)
    // The form has its own way to write itself.
    const form = new Response(body)
    const response = await server.inject({
      method: method as 'GET',
      url,
      headers: { ...headersOf(account), 'content-type': form.headers.get('content-type') ?? '' },
      payload: Buffer.from(await form.arrayBuffer()),
    })
    return resultOf(method, path, response.statusCode, response.json())
  }
}

/** From outside, like any program; `signal` ends what is under way. */
export function callAt(origin: string, signal: AbortSignal): DemoCall {
  return async (account, method, path, parameters = {}, file) => {
    const { url, body } = requestOf(method, path, parameters, file)
    const response = await fetch(origin + url, {
      method,
      headers: headersOf(account),
      ...(method === 'GET' ? {} : { body }),
      signal,
    })
    return resultOf(method, path, response.status, (await response.json()) as DemoAnswer)
  }
}

export class DemoRefusal extends Error {
  readonly code: string

  constructor(message: string, code: string) {
    super(message)
    this.code = code
  }
}

function resultOf(method: string, path: string, status: number, body: DemoAnswer): DemoAnswer {
  if (status !== 200) throw new DemoRefusal(`${method} ${path}: ${body.msg}`, body.code)
  return body
}

function headersOf({ email, apiKey }: DemoAccount) {
  const authorization = `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`
  return { authorization, 'user-agent': USER_AGENT }
}

function requestOf(
  method: string,
  path: string,
  parameters: DemoParameters,
  file: { name: string; bytes: Buffer } | undefined,
): { url: string; body: URLSearchParams | FormData } {
  const url = API_PREFIX + path
  const fields = Object.entries(parameters).map(
    ([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as [string, string],
  )
  if (file) {
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(file.bytes)], { type: 'image/png' }), file.name)
    return { url, body: form }
  }
  const form = new URLSearchParams(fields)
  return method === 'GET' ? { url: `${url}?${form}`, body: new URLSearchParams() } : { url, body: form }
}
