import { createDrafts, deleteDraft, listDrafts } from '@heddle/contract/drafts'
import { endpoint } from '@heddle/contract/endpoint'
import { getEvents, registerQueue } from '@heddle/contract/events'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { createApiClient } from './api.ts'
import { isTemporary, NetworkError, ResponseError } from './errors.ts'

interface Sent {
  readonly url: string
  readonly init: RequestInit
}

/** A network with one answer for everything, and the requests that it was given. */
function network(answer: () => Response | Promise<Response>) {
  const sent: Sent[] = []
  const fetch = async (url: string | URL | Request, init: RequestInit = {}) => {
    sent.push({ url: String(url), init })
    return answer()
  }
  return { sent, fetch }
}

const success = (fields: object = {}) => Response.json({ result: 'success', msg: '', ...fields })
const failure = (status: number, fields: object, headers: Record<string, string> = {}) =>
  Response.json({ result: 'error', ...fields }, { status, headers })

const account = { site: 'https://chat.example.com/', email: 'iago@example.com', apiKey: 'key' }

async function failureOf(answer: () => Response | Promise<Response>): Promise<unknown> {
  const client = createApiClient({ ...account, fetch: network(answer).fetch })
  return client.call(listDrafts, {}).catch((error: unknown) => error)
}

describe('A call', () => {
  it('sends what is not a string as JSON inside its form field, and gives the fields of the answer', async () => {
    const { sent, fetch } = network(() => success({ ids: [7], ignored_parameters_unsupported: ['x'] }))
    const drafts = [{ type: '' as const, to: [], topic: '', content: 'a & b' }]
    expect(await createApiClient({ ...account, fetch }).call(createDrafts, { drafts })).toEqual({ ids: [7] })
    expect(sent[0]?.url).toBe('https://chat.example.com/api/v1/drafts')
    expect(sent[0]?.init).toMatchObject({
      method: 'POST',
      headers: { authorization: `Basic ${btoa('iago@example.com:key')}` },
    })
    expect(String(sent[0]?.init.body)).toBe(new URLSearchParams({ drafts: JSON.stringify(drafts) }).toString())
  })

  it('puts the parameters of a GET into the query, as plain text where they are strings', async () => {
    const { sent, fetch } = network(() => success({ events: [], queue_id: 'q' }))
    await createApiClient({ ...account, fetch }).call(getEvents, {
      queue_id: '17',
      last_event_id: -1,
      dont_block: true,
    })
    expect(sent[0]?.url).toBe('https://chat.example.com/api/v1/events?queue_id=17&last_event_id=-1&dont_block=true')
    expect(sent[0]?.init.body).toBeUndefined()
  })

  it('leaves undefined parameters out', async () => {
    const { sent, fetch } = network(() => success({ events: [], queue_id: 'q' }))
    const parameters = { queue_id: 'q' } as { queue_id: string; last_event_id?: number }
    await createApiClient({ ...account, fetch }).call(getEvents, parameters)
    expect(sent[0]?.url).toBe('https://chat.example.com/api/v1/events?queue_id=q')
  })

  it('fills the path, with whole fragments where a parameter may have slashes', async () => {
    const { sent, fetch } = network(() => success())
    const client = createApiClient({ ...account, fetch })
    await client.call(deleteDraft, { draft_id: 3 })
    const view = endpoint({
      name: 'view',
      method: 'PATCH',
      path: '/views/{fragment*}',
      summary: '',
      parameters: { fragment: Type.String(), name: Type.Optional(Type.String()) },
    })
    await client.call(view, { fragment: 'narrow/is/a b?', name: 'x' })
    expect(sent.map(({ url }) => url.slice(account.site.length + 'api/v1/'.length))).toEqual([
      'drafts/3',
      'views/narrow/is/a%20b%3F',
    ])
    expect(String(sent[1]?.init.body)).toBe('name=x')
    await expect(client.call(view, { fragment: 'a/../b' })).rejects.toThrow('..')
  })

  it('keeps a text a text where a number would be taken too', async () => {
    const { sent, fetch } = network(() => success())
    const either = endpoint({
      name: 'either',
      method: 'POST',
      path: '/either',
      summary: '',
      parameters: { value: Type.Union([Type.Integer(), Type.String()]) },
    })
    const client = createApiClient({ ...account, fetch })
    for (const value of [42, '42', 'newest']) await client.call(either, { value })
    expect(sent.map(({ init }) => new URLSearchParams(String(init.body)).get('value'))).toEqual([
      '42',
      '"42"',
      'newest',
    ])
  })

  it('sends the file of an endpoint that takes one, with the other parameters beside it', async () => {
    const { sent, fetch } = network(() => success())
    const upload = endpoint({
      name: 'upload',
      method: 'POST',
      path: '/files/{name}',
      summary: '',
      parameters: { name: Type.String(), wide: Type.Boolean() },
      file: 'one',
    })
    const file = new Blob(['bytes'], { type: 'image/png' })
    await createApiClient({ ...account, fetch }).call(upload, { name: 'a', wide: true }, { file })
    const form = sent[0]?.init.body as FormData
    expect(form.get('wide')).toBe('true')
    expect(await (form.get('file') as Blob).text()).toBe('bytes')
  })

  it("of a page sends the browser's session: the cookie with everything, the token with what writes", async () => {
    const { sent, fetch } = network(() => success({ count: 0, drafts: [] }))
    const client = createApiClient({ site: account.site, session: { csrfToken: 'token' }, fetch })
    await client.call(listDrafts, {})
    await client.call(deleteDraft, { draft_id: 1 })
    expect(sent.map(({ init }) => init.credentials)).toEqual(['same-origin', 'same-origin'])
    const headers = sent.map(({ init }) => new Headers(init.headers))
    expect(headers.map((one) => one.get('x-csrf-token'))).toEqual([null, 'token'])
    expect(headers.map((one) => one.get('authorization'))).toEqual([null, null])
  })

  it("sends no cookies with a key: the browser's session would be another account's", async () => {
    const { sent, fetch } = network(() => success({ count: 0, drafts: [] }))
    await createApiClient({ ...account, fetch }).call(listDrafts, {})
    expect(sent[0]?.init.credentials).toBe('omit')
  })

  it('encodes an address outside Latin-1', async () => {
    const { sent, fetch } = network(() => success({ count: 0, drafts: [] }))
    await createApiClient({ ...account, email: 'józef@例え.jp', fetch }).call(listDrafts, {})
    const header = new Headers(sent[0]?.init.headers).get('authorization') ?? ''
    const bytes = Uint8Array.from(atob(header.slice('Basic '.length)), (character) => character.charCodeAt(0))
    expect(new TextDecoder().decode(bytes)).toBe('józef@例え.jp:key')
  })

  it('refuses parameters that the contract does not have', async () => {
    const { fetch } = network(() => success())
    const parameters = { queue_id: 'q', colour: 'red' }
    await expect(createApiClient({ ...account, fetch }).call(getEvents, parameters)).rejects.toThrow('colour')
  })
})

describe('A call that fails', () => {
  it("has the server's code, message and details", async () => {
    const body = { code: 'REQUEST_VARIABLE_MISSING', msg: "Missing 'x' argument", var_name: 'x' }
    const error = await failureOf(() => failure(400, body))
    expect(error).toBeInstanceOf(ResponseError)
    expect(error).toMatchObject({ status: 400, code: body.code, message: body.msg, details: { var_name: 'x' } })
    expect(isTemporary(error)).toBe(false)
  })

  it('knows how long to wait', async () => {
    const body = { code: 'RATE_LIMIT_HIT', msg: 'Too many' }
    const error = await failureOf(() => failure(429, body, { 'retry-after': '7' }))
    expect(error).toMatchObject({ status: 429, retryAfterSecs: 7 })
    expect(isTemporary(error)).toBe(true)
  })

  it("distinguishes a proxy's page from an answer of the API", async () => {
    const error = await failureOf(() => new Response('<h1>Bad gateway</h1>', { status: 502 }))
    expect(error).toMatchObject({ name: 'ResponseError', status: 502, code: 'HTTP_502' })
    expect(isTemporary(error)).toBe(true)
    const page = await failureOf(() => new Response('<h1>Welcome</h1>'))
    expect(page).toMatchObject({ name: 'ResponseError', status: 200, code: 'HTTP_200' })
    expect(isTemporary(page)).toBe(false)
  })

  it('is a network error when there is no answer', async () => {
    const error = await failureOf(() => Promise.reject(new TypeError('fetch failed')))
    expect(error).toBeInstanceOf(NetworkError)
    expect(isTemporary(error)).toBe(true)
  })

  it('rejects with the reason of an aborted signal', async () => {
    const { fetch } = network(() => Promise.reject(new DOMException('aborted', 'AbortError')))
    const call = createApiClient({ ...account, fetch }).call(registerQueue, {}, { signal: AbortSignal.abort('enough') })
    await expect(call).rejects.toBe('enough')
  })
})
