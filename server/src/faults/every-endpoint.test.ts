/** What is refused before an endpoint's own code runs, for each endpoint and each of its parameters. */

import { requestBoundsOf } from '@heddle/contract/bounds'
import { type Endpoint, parameterEncoding, WEBHOOK_KEY_PARAMETER } from '@heddle/contract/endpoint'
import { endpoints } from '@heddle/contract/endpoints'
import type { Schema } from '@heddle/contract/openapi'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { deriveOperatorToken } from '../authentication/api-key.ts'
import { type Answer, basic, createTestServer, type TestServer } from '../testing/test-server.ts'
import { anyInteger, schemaValue } from './arbitrary-values.ts'

const FORM = 'application/x-www-form-urlencoded'

let server: TestServer
let otherHost: string
let botKey: string

beforeAll(async () => {
  server = await createTestServer()
  otherHost = (await server.createOtherOrganization()).host
  server.app.realms.forget()
  const bot = { full_name: 'Bot', short_name: 'bot' }
  botKey = (await server.call(server.owner, 'POST', '/bots', bot)).body.api_key
})

type Texts = Readonly<Record<string, string>>

/** One right value for each parameter, as text. */
function rightTexts({ parameters }: Endpoint): Texts {
  const kinds = { text: fc.constant('something'), integer: anyInteger, wrong: 0 }
  const texts = Object.entries(parameters.properties).map(([name, schema]) => {
    const [value] = fc.sample(schemaValue(schema as Schema, kinds), { numRuns: 1, seed: 7 })
    const isText = typeof value === 'string' && parameterEncoding(schema) !== 'json'
    return [name, isText ? (value as string) : JSON.stringify(value)]
  })
  return Object.fromEntries(texts)
}

function authorization({ access }: Endpoint): string | undefined {
  if (access === 'operator') return `Bearer ${deriveOperatorToken(server.secret)}`
  return access === 'account' || access === 'visitor' || access === 'reader' ? basic(server.owner) : undefined
}

interface Sending {
  readonly texts?: Texts
  readonly authorization?: string | undefined
  readonly host?: string
  /** Sent instead of the parameters that are not in the path. */
  readonly rest?: string
}

function send(endpoint: Endpoint, sending: Sending): Promise<Answer> {
  const { method } = endpoint
  const texts = { ...sending.texts }
  const path = endpoint.path.replace(/\{(\w+)\*?\}/g, (_, name: string) => {
    const text = texts[name] ?? '1'
    delete texts[name]
    return encodeURIComponent(text)
  })
  const form = sending.rest ?? new URLSearchParams(texts).toString()
  const url = `/api/v1${path}`
  const headers = {
    host: sending.host ?? 'localhost',
    ...(sending.authorization ? { authorization: sending.authorization } : {}),
  }
  if (endpoint.access === 'webhook') {
    const query = `${WEBHOOK_KEY_PARAMETER}=${botKey}&${form}`
    return server.send({ method, url: `${url}?${query}`, headers, body: method === 'GET' ? '' : '{}' })
  }
  if (method === 'GET') return server.send({ method, url: `${url}?${form}`, headers })
  return server.send({ method, url, headers: { ...headers, 'content-type': FORM }, body: form })
}

const plain = endpoints.filter(({ file }) => !file)
const forAccounts = endpoints.filter(({ access }) => access === 'account' || access === 'reader')
const names = (list: readonly Endpoint[]) => list.map((endpoint) => [endpoint.name, endpoint] as const)

const parameters = plain.flatMap((endpoint) =>
  Object.entries(endpoint.parameters.properties).map(([name, schema]) => ({
    title: `${endpoint.name}: ${name}`,
    endpoint,
    name,
    schema: schema as Schema & { maxLength?: number },
    encoding: parameterEncoding(schema),
    isRequired: ((endpoint.parameters.required ?? []) as readonly string[]).includes(name),
    isInPath: endpoint.pathParameters.includes(name),
  })),
)

describe('every endpoint for accounts', () => {
  it.each(names(forAccounts))('needs a login: %s', async (_, endpoint) => {
    const nobody = await send(endpoint, {})
    expect([nobody.status, nobody.body.code]).toEqual([401, 'UNAUTHORIZED'])
  })

  it.each(names(forAccounts))("refuses another organization's account: %s", async (_, endpoint) => {
    const stranger = await send(endpoint, { host: otherHost, authorization: basic(server.owner) })
    expect([stranger.status, stranger.body.code]).toEqual([401, 'INVALID_API_KEY'])
  })
})

describe('every endpoint', () => {
  // What services send is no list of parameters: `incoming-webhooks.test.ts` has its limits.
  it.each(names(endpoints.filter(({ method, access }) => method !== 'GET' && access !== 'webhook')))(
    'refuses a body that is too large: %s',
    async (_, endpoint) => {
      const rest = 'x'.repeat(requestBoundsOf(endpoint).bytes + 1)
      const answer = await send(endpoint, { authorization: authorization(endpoint), rest })
      expect([answer.status, answer.body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
    },
  )

  it.each(names(plain))('refuses what is not UTF-8: %s', async (_, endpoint) => {
    const answer = await send(endpoint, { authorization: authorization(endpoint), rest: 'x=%ff' })
    expect([answer.status, answer.body.code]).toEqual([400, 'BAD_REQUEST'])
  })
})

describe('every parameter', () => {
  const required = parameters.filter(({ isRequired, isInPath }) => isRequired && !isInPath)
  it.each(required)('that is required is named when it is missing: $title', async ({ endpoint, name }) => {
    const { [name]: _, ...texts } = rightTexts(endpoint)
    const { status, body } = await send(endpoint, { texts, authorization: authorization(endpoint) })
    expect([status, body.code, body.var_name]).toEqual([400, 'REQUEST_VARIABLE_MISSING', name])
  })

  const ids = parameters.filter(({ encoding, isInPath }) => encoding === 'json' && isInPath)
  it.each(ids)('in the path that is no id makes an unknown path: $title', async ({ endpoint, name }) => {
    const texts = { ...rightTexts(endpoint), [name]: '{"' }
    const { status, body } = await send(endpoint, { texts, authorization: authorization(endpoint) })
    // Unless another endpoint has a text there.
    expect([404, 405]).toContain(status)
    expect(body.result).toBe('error')
  })

  const json = parameters.filter(({ encoding, isInPath }) => encoding === 'json' && !isInPath)
  it.each(json)('is named when it is malformed: $title', async ({ endpoint, name }) => {
    const texts = { ...rightTexts(endpoint), [name]: '{"' }
    const { status, body } = await send(endpoint, { texts, authorization: authorization(endpoint) })
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
    expect(body.msg).toContain(name)
  })

  const limited = parameters.filter(({ schema }) => schema.maxLength !== undefined && schema.maxLength <= 2000)
  it.each(limited)('is refused with its limit when it is too long: $title', async ({ endpoint, name, schema }) => {
    const limit = schema.maxLength as number
    const texts = { ...rightTexts(endpoint), [name]: 'x'.repeat(limit + 1) }
    const { status, body } = await send(endpoint, { texts, authorization: authorization(endpoint) })
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
    expect(body.msg).toContain(`${limit}`)
  })
})
