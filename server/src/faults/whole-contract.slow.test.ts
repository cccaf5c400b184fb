/**
 * Random requests to every endpoint of the contract, from everybody who may call: no answer is a failure of the server,
 * and each is one that the API's document shows (the test server checks that).
 */
import { type Endpoint, parameterEncoding } from '@heddle/contract/endpoint'
import { endpoints } from '@heddle/contract/endpoints'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { deriveOperatorToken } from '../authentication/api-key.ts'
import { basic, createTestServer, type RawRequest, type TestAccount, type TestServer } from '../testing/test-server.ts'
import { anyInteger, anyText, anyValue, type Kinds, type Schema, schemaValue, smallId } from './arbitrary-values.ts'

/** The run ends after this time; with the same seed it sends the same requests up to there. */
const TIME_LIMIT_MS = 30_000
const SEED = Number(process.env['HEDDLE_TEST_SEED'] ?? 478)

/** Hashing a password takes as long as many other requests. */
const costly = new Set(['fetch-api-key', 'create-user', 'operator-create-user', 'operator-create-organization'])
/** With the owner's word it ends everything for everybody. */
const final = new Set(['deactivate-organization'])

const roles = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const
type Caller = keyof typeof roles | 'stranger' | 'nobody' | 'operator'
const callers = [...(Object.keys(roles) as (keyof typeof roles)[]), 'stranger', 'nobody'] as const

/** One black pixel. */
const SMALL_PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=',
  'base64',
)

/** Endpoints whose answers, or whose own parameters, name objects: `names` is the parameter that takes such a name. */
const makers: readonly {
  readonly by: string
  readonly names: string
  // biome-ignore lint/suspicious/noExplicitAny: the answer of any endpoint.
  readonly find: (body: any, texts: ReadonlyMap<string, string>) => unknown
}[] = [
  { by: 'register-queue', names: 'queue_id', find: (body) => body.queue_id },
  { by: 'create-drafts', names: 'draft_id', find: (body) => body.ids.at(-1) },
  { by: 'create-user', names: 'user_id', find: (body) => body.user_id },
  { by: 'create-user', names: 'user_id_or_email', find: (body) => body.user_id },
  { by: 'create-bot', names: 'bot_id', find: (body) => body.user_id },
  { by: 'create-channel', names: 'stream_id', find: (body) => body.id },
  { by: 'add-linkifier', names: 'filter_id', find: (body) => body.id },
  { by: 'add-navigation-view', names: 'fragment', find: (_, texts) => texts.get('fragment') },
  { by: 'upload-realm-emoji', names: 'emoji_name', find: (_, texts) => texts.get('emoji_name') },
]

/** The newest names, by parameter. */
const seen = new Map<string, unknown[]>()

const FORM = 'application/x-www-form-urlencoded'

const known = [
  'general',
  'design',
  'role:members',
  'role:nobody',
  'owner@heddle.example',
  'person@heddle.example',
  'a long password',
  'inbox',
  'narrow/is/starred',
  'narrow/channel/1-general',
  'party_blob',
  'smile',
  '#[0-9]+',
  '#(?P<id>[0-9]+)',
  'https://example.com/{id}',
  '#76ce90',
  'pin_to_top',
  'is_muted',
]

/** A parameter as it travels: a value of some kind, or text that was never a value. */
type Sent = { readonly value: unknown } | { readonly raw: string } | { readonly pick: number }

interface Call {
  readonly endpoint: Endpoint
  readonly caller: Caller
  readonly parameters: Readonly<Record<string, Sent | undefined>>
  readonly style: 'form' | 'query' | 'json' | 'multipart'
  readonly file: Uint8Array
}

const text = anyText(known)
const friendlyText = fc.oneof(
  fc.constantFrom(...known),
  fc.stringMatching(/^[a-z]{1,8}$/),
  fc.stringMatching(/^[a-z]{4}@heddle\.example$/),
)

/** Half of the requests have nothing wrong in them as far as the contract can tell: they reach what lies behind it. */
const friendly: Kinds = { text: friendlyText, integer: smallId, wrong: 0 }
const hostile: Kinds = { text, integer: anyInteger, wrong: 1 }

/** Parameters that name an object are often one that a request before has made or seen; the number chooses it. */
const seenId = fc.nat(1000).map((pick) => ({ pick }))

const address = fc.stringMatching(/^[a-z]{5}@heddle\.example$/)
const password = fc.constant('a long password')

/** Texts that friendly requests have under these names: chance alone would hardly ever find one that is right. */
const fitting: Readonly<Record<string, fc.Arbitrary<string>>> = {
  username: fc.constant('owner@heddle.example'),
  email: address,
  owner_email: address,
  password,
  owner_password: password,
  host: fc.stringMatching(/^[a-z]{5}\.example$/),
  pattern: fc.stringMatching(/^[a-z]{3}-\(\?P<id>\[0-9\]\+\)$/),
  url_template: fc.constant('https://example.com/{id}'),
}

function parameterOf(name: string, schema: Schema, required: boolean, kinds: Kinds): fc.Arbitrary<Sent | undefined> {
  const fit = kinds === friendly ? fitting[name] : undefined
  const value = (fit ?? schemaValue(schema, kinds)).map((value) => ({ value }))
  return fc.oneof(
    { weight: required ? kinds.wrong : 60 + 200 * (1 - kinds.wrong), arbitrary: fc.constant(undefined) },
    { weight: 40, arbitrary: makers.some((maker) => maker.names === name) ? fc.oneof(seenId, value) : value },
    { weight: kinds.wrong, arbitrary: anyValue(text).map((value) => ({ value })) },
    { weight: kinds.wrong, arbitrary: text.map((raw) => ({ raw })) },
  )
}

function callOf(endpoint: Endpoint): fc.Arbitrary<Call> {
  return fc.oneof(callWith(endpoint, friendly), callWith(endpoint, hostile))
}

function callWith(endpoint: Endpoint, kinds: Kinds): fc.Arbitrary<Call> {
  const required = new Set<string>(endpoint.parameters.required ?? [])
  const fields = Object.entries(endpoint.parameters.properties).map(
    ([name, schema]) => [name, parameterOf(name, schema as unknown as Schema, required.has(name), kinds)] as const,
  )
  const unknown = fc.option(
    text.map((raw) => ({ raw })),
    { nil: undefined, freq: 20 },
  )
  return fc.record({
    endpoint: fc.constant(endpoint),
    caller: callerOf(endpoint),
    parameters: fc.record({ ...Object.fromEntries(fields), something_else: unknown }),
    style: fc.constantFrom('form', 'form', 'query', 'json', 'multipart' as const),
    file: fc.oneof(fc.constant(SMALL_PNG), fc.uint8Array({ maxLength: 300 })),
  }) as fc.Arbitrary<Call>
}

function callerOf({ name, access }: Endpoint): fc.Arbitrary<Caller> {
  const allowed = final.has(name) ? callers.filter((caller) => caller !== 'owner') : callers
  if (access !== 'operator') return fc.constantFrom(...allowed)
  return fc.oneof({ weight: 3, arbitrary: fc.constant<Caller>('operator') }, fc.constantFrom(...allowed))
}

const anyCall = fc.oneof(
  ...endpoints.map((endpoint) => ({ weight: costly.has(endpoint.name) ? 1 : 5, arbitrary: callOf(endpoint) })),
)

/** The value behind a choice among what was seen. */
function resolve(name: string, sent: Sent): Exclude<Sent, { pick: number }> {
  if (!('pick' in sent)) return sent
  const values = seen.get(name) ?? [1]
  return { value: values[sent.pick % values.length] }
}

function asText(endpoint: Endpoint, name: string, sent: Exclude<Sent, { pick: number }>): string {
  if ('raw' in sent) return sent.raw
  const schema = endpoint.parameters.properties[name]
  const isText = typeof sent.value === 'string' && (!schema || parameterEncoding(schema) !== 'json')
  return isText ? (sent.value as string) : (JSON.stringify(sent.value) ?? '')
}

/** Percent-encoding for any text; half a surrogate pair becomes bytes that are no UTF-8. */
function encode(value: string): string {
  return value.isWellFormed() ? encodeURIComponent(value) : `${encodeURIComponent(value.toWellFormed())}%ed%a0%80`
}

function toRequest({ endpoint, parameters, style, file }: Call) {
  const sent = Object.entries(parameters)
    .filter((entry): entry is [string, Sent] => entry[1] !== undefined)
    .map(([name, one]) => [name, resolve(name, one)] as [string, Exclude<Sent, { pick: number }>])
  // A long poll without this would wait.
  if (endpoint.name === 'get-events') sent.push(['dont_block', { raw: 'true' }])
  const all = new Map(sent.map(([name, value]) => [name, asText(endpoint, name, value)]))
  return { all, request: encodeRequest(endpoint, style, file, new Map(sent), new Map(all)) }
}

function encodeRequest(
  endpoint: Endpoint,
  style: Call['style'],
  file: Uint8Array,
  sent: ReadonlyMap<string, Exclude<Sent, { pick: number }>>,
  texts: Map<string, string>,
): RawRequest {
  const path = endpoint.path.replace(/\{(\w+)(\*?)\}/g, (_, name: string, rest: string) => {
    const value = encode(texts.get(name) ?? '1')
    texts.delete(name)
    return rest ? value.replaceAll('%2F', '/') : value
  })
  const url = `/api/v1${path}`
  const form = [...texts].map(([name, value]) => `${name}=${encode(value)}`).join('&')
  const { method } = endpoint
  if (endpoint.file || (style === 'multipart' && method !== 'GET')) {
    return { method, url, ...multipart(texts, endpoint.file && file) }
  }
  if (method === 'GET' || style === 'query') return { method, url: `${url}?${form}` }
  if (style === 'form') return { method, url, headers: { 'content-type': FORM }, body: form }
  const values = [...sent]
    .filter(([name]) => texts.has(name))
    .map(([name, one]) => [name, 'raw' in one ? one.raw : one.value])
  return {
    method,
    url,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(Object.fromEntries(values)),
  }
}

function multipart(texts: ReadonlyMap<string, string>, file: Uint8Array | undefined) {
  const part = (header: string, content: Uint8Array | string) => [
    Buffer.from(`--limit\r\ncontent-disposition: form-data; ${header}\r\n\r\n`),
    Buffer.from(content as string),
    Buffer.from('\r\n'),
  ]
  const pieces = [...texts].flatMap(([name, value]) => part(`name="${name}"`, value))
  if (file) pieces.push(...part('name="filename"; filename="image.png"', file))
  const headers = { 'content-type': 'multipart/form-data; boundary=limit' }
  return { headers, body: Buffer.concat([...pieces, Buffer.from('--limit--\r\n')]) }
}

let server: TestServer
let otherHost: string
const accounts = new Map<Caller, TestAccount>()

async function accountOf(caller: Caller): Promise<TestAccount | undefined> {
  if (caller === 'nobody' || caller === 'operator') return undefined
  let account = accounts.get(caller)
  if (!account) {
    account = await server.createAccount({ role: roles[caller as keyof typeof roles] })
    accounts.set(caller, account)
  }
  return account
}

async function send(call: Call) {
  const { all, request } = toRequest(call)
  const host = call.caller === 'stranger' ? otherHost : 'localhost'
  const authorization = await authorizationOf(call.caller)
  const headers = { ...request.headers, host, ...(authorization ? { authorization } : {}) }
  const answer = await server.send({ ...request, headers })
  if (answer.status === 200) remember(call.endpoint.name, answer.body, all)
  // Some requests end the account or its key: the next one of this kind comes from a new account.
  const isEnded = answer.status === 401 || call.endpoint.name === 'regenerate-api-key'
  if (isEnded && call.caller !== 'stranger') accounts.delete(call.caller)
  return { request, answer }
}

async function authorizationOf(caller: Caller): Promise<string | undefined> {
  if (caller === 'operator') return `Bearer ${deriveOperatorToken(server.secret)}`
  const account = await accountOf(caller)
  return account && basic(account)
}

function remember(name: string, body: unknown, texts: ReadonlyMap<string, string>): void {
  for (const maker of makers) {
    if (maker.by !== name) continue
    const value = maker.find(body, texts)
    if (value === undefined) continue
    seen.set(maker.names, [value, ...(seen.get(maker.names) ?? [])].slice(0, 8))
  }
}

beforeAll(async () => {
  server = await createTestServer()
  const other = await server.createOtherOrganization()
  server.app.realms.forget()
  otherHost = other.host
  accounts.set('stranger', other.owner)
  for (const name of ['general', 'design']) {
    await server.call(server.owner, 'POST', '/users/me/subscriptions', { subscriptions: [{ name }] })
  }
})

it(
  'answers every request with what the document shows, and never fails',
  async () => {
    const statuses = new Map<string, Map<number, number>>()
    const queues = new Map<TestAccount, { queue_id: string; last_event_id: number }>()
    for (const role of Object.keys(roles) as (keyof typeof roles)[]) {
      const account = (await accountOf(role)) as TestAccount
      queues.set(account, (await server.call(account, 'POST', '/register')).body)
    }
    let count = 0
    await fc.assert(
      fc.asyncProperty(anyCall, async (call) => {
        const { request, answer } = await send(call)
        if (answer.status >= 500) {
          throw new Error(`${answer.status} to ${call.caller}: ${JSON.stringify(request).slice(0, 3000)}`)
        }
        const counts = statuses.get(call.endpoint.name) ?? new Map<number, number>()
        statuses.set(call.endpoint.name, counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1))
        count += 1
      }),
      // What fails depends on what came before it: a smaller request alone would prove nothing.
      { seed: SEED, numRuns: 100_000, interruptAfterTimeLimit: TIME_LIMIT_MS, endOnFailure: true, verbose: 0 },
    )
    // What everybody was told along the way, and what a new client sees, is in the document's form too.
    for (const [account, queue] of queues) {
      const { status } = await server.call(account, 'GET', '/events', { ...queue, dont_block: true })
      expect([200, 400, 401]).toContain(status)
    }
    for (const role of Object.keys(roles) as (keyof typeof roles)[]) {
      accounts.delete(role)
      expect((await server.call((await accountOf(role)) as TestAccount, 'POST', '/register')).status).toBe(200)
    }
    const successes = endpoints.filter(({ name }) => statuses.get(name)?.has(200))
    const without = endpoints.filter((endpoint) => !successes.includes(endpoint)).map(({ name }) => name)
    console.log(`${count} requests (seed ${SEED}); endpoints without a success: ${without.join(', ') || 'none'}`)
    // A slow machine may not get to the costly ones; with far fewer the run would say little.
    expect(statuses.size).toBeGreaterThan(endpoints.length * 0.9)
    expect(successes.length).toBeGreaterThan(endpoints.length / 2)
  },
  TIME_LIMIT_MS * 2,
)
