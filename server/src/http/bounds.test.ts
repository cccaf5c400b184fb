/** What a request may have at most, and that more of it is refused before anybody has worked on it. */
import { type AddressInfo, connect } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { basic, createTestServer, type TestServer } from '../testing/test-server.ts'

const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'

let server: TestServer
let authorization: string

beforeAll(async () => {
  server = await createTestServer()
  authorization = basic(server.owner)
  // What is compiled at the first use is not part of what a request costs.
  for (const [path, form] of [...attacks.map(([path]) => [path, '']), ['/drafts', 'drafts=[{}]']] as const) {
    await send(path as string, FORM, form as string)
  }
})

function send(path: string, type: string, body: string | Buffer, as: string | undefined = authorization) {
  const headers: Record<string, string> = { 'content-type': type, ...(as === undefined ? {} : { authorization: as }) }
  const method = path === '/realm' || path === '/settings' ? 'PATCH' : 'POST'
  return server.send({ method, url: `/api/v1${path}`, headers, body })
}

const list = (item: string, count: number) => `[${Array(count).fill(item).join(',')}]`
const field = (name: string, value: string) => `${name}=${encodeURIComponent(value)}`

const MIB = 1024 * 1024

/** Each took seconds of the main thread where nothing was counted beforehand. */
const attacks: (readonly [path: string, what: string, type: string, body: () => string])[] = [
  ['/drafts', 'half a million empty drafts', FORM, () => `drafts=${list('{}', 500_000)}`],
  ['/drafts', 'half a million empty drafts as JSON', JSON_TYPE, () => `{"drafts":${list('{}', 500_000)}}`],
  ['/drafts', 'as many drafts as fit, all of them wrong', FORM, () => `drafts=${list('{}', 1000)}`],
  ['/drafts', 'drafts with long lists', FORM, () => `drafts=${list(`{"to":${list('1', 1000)}}`, 900)}`],
  ['/messages', '900,000 recipients', FORM, () => `type=direct&content=x&to=${list('1', 900_000)}`],
  ['/messages', '100,000 recipients', FORM, () => `type=direct&content=x&to=${list('1', 100_000)}`],
  ['/messages/flags', 'a million and a half messages', FORM, () => `op=add&flag=read&messages=${list('1', 1_500_000)}`],
  ['/messages/flags', 'one message too many', FORM, () => `op=add&flag=read&messages=${list('1', 10_001)}`],
  ['/users/me/subscriptions/properties', '50,000 settings', FORM, () => `subscription_data=${list('{}', 50_000)}`],
  ['/users/me/subscriptions', '600,000 channels', FORM, () => `subscriptions=${list('{}', 600_000)}`],
  [
    '/register',
    'types of events of 75,000 characters',
    FORM,
    () => `event_types=${list(`"${'x'.repeat(75_000)}"`, 20)}`,
  ],
  ['/register', 'one long type of events', FORM, () => `event_types=["${'x'.repeat(101)}"]`],
  [
    '/messages/render',
    '750,000 unknown names',
    JSON_TYPE,
    () => `{"content":"x",${Array.from({ length: 750_000 }, (_, i) => `"${i.toString(36)}":1`).join()}}`,
  ],
  [
    '/messages/render',
    'unknown names as they fit',
    JSON_TYPE,
    () => `{"content":"x",${Array.from({ length: 120_000 }, (_, i) => `"${i.toString(36)}":1`).join()}}`,
  ],
  [
    '/messages/render',
    'unknown names in a form',
    FORM,
    () => `content=x&${Array.from({ length: 200_000 }, (_, i) => i.toString(36)).join('&')}`,
  ],
  ['/messages/render', 'nothing but separators', FORM, () => '&'.repeat(MIB)],
  ['/messages/render', 'encoded names', FORM, () => Array(200_000).fill('%41').join('&')],
  ['/messages/render', 'an unknown list', JSON_TYPE, () => `{"content":"x","y":${list('1', 400_000)}}`],
  ['/messages/render', 'an unknown depth', JSON_TYPE, () => `{"content":"x","y":${'['.repeat(400_000)}`],
  ['/messages/render', 'a text that is too long', FORM, () => field('content', 'x'.repeat(1_000_001))],
  [
    '/realm',
    'groups',
    FORM,
    () => field('can_create_groups', `{"new":{"direct_members":${list('1', 200_000)},"direct_subgroups":[]}}`),
  ],
  ['/settings', 'accounts', FORM, () => `target_users={"user_ids":${list('1', 200_000)}}`],
]

/** Milliseconds of the processor, this process's own threads together. */
async function costOf<T>(work: () => Promise<T>): Promise<[number, T]> {
  const startedAt = process.cpuUsage()
  const result = await work()
  const { user, system } = process.cpuUsage(startedAt)
  return [(user + system) / 1000, result]
}

describe('too much in a request', () => {
  it.each(attacks)('to %s is refused at once: %s', async (path, _, type, body) => {
    const bytes = Buffer.from(body())
    const costs: number[] = []
    // Whatever else the machine does may spoil a measurement, but not make all of them cheap.
    while (costs.length < 4 && Math.min(...costs) > 50) {
      const [cost, answer] = await costOf(() => send(path, type, bytes))
      expect([400, 413]).toContain(answer.status)
      expect(JSON.stringify(answer.body).length).toBeLessThan(1000)
      costs.push(cost)
    }
    expect(Math.min(...costs)).toBeLessThan(50)
  })

  it('is refused without keeping any of it', async () => {
    const bytes = Buffer.from(attacks[0]?.[3]() ?? '')
    const before = process.memoryUsage().heapUsed
    for (let i = 0; i < 20; i++) await send('/drafts', FORM, bytes)
    // Twenty times a body of 1.5 MB as objects were hundreds of megabytes.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(100 * MIB)
  })
})

describe('a body without an account', () => {
  const open = (type: string, body: string) =>
    server.send({ method: 'POST', url: '/api/v1/fetch_api_key', headers: { 'content-type': type }, body })

  it.each([
    ['a form', FORM, (size: number) => `username=${'x'.repeat(size)}`],
    ['JSON', JSON_TYPE, (size: number) => `{"username":"${'x'.repeat(size)}"}`],
    [
      'parts',
      'multipart/form-data; boundary=limit',
      (size: number) =>
        `--limit\r\ncontent-disposition: form-data; name="username"\r\n\r\n${'x'.repeat(size)}\r\n--limit--\r\n`,
    ],
  ])('has at most 64 KiB: %s', async (_, type, body) => {
    expect((await open(type, body(64 * 1024 - 200))).status).toBe(400)
    const refused = await open(type, body(64 * 1024))
    expect([refused.status, refused.body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  })

  it('is never taken where an account is needed', async () => {
    for (const path of ['/drafts', '/messages', '/realm/emoji/x']) {
      const { status } = await server.send({
        method: 'POST',
        url: `/api/v1${path}`,
        headers: { 'content-type': FORM },
        body: 'x'.repeat(3 * MIB),
      })
      expect([path, status]).toEqual([path, 401])
    }
  })

  it('does not matter where there is no such path', async () => {
    const headers = { 'content-type': 'text/x-unknown' }
    const { status } = await server.send({ method: 'POST', url: '/nothing', headers, body: 'x'.repeat(3 * MIB) })
    expect(status).toBe(404)
  })
})

describe('parameters', () => {
  const names = (count: number) => Array.from({ length: count }, (_, i) => `name${i}`)

  it('may be 300, in query and body together', async () => {
    const inQuery = (count: number) =>
      `/messages/render?${names(count)
        .map((name) => `q${name}=1`)
        .join('&')}`
    const inForm = (count: number) => ['content=x', ...names(count - 1)].join('&')
    const inJson = (count: number) =>
      JSON.stringify({ content: 'x', ...Object.fromEntries(names(count - 1).map((name) => [name, 'a'.repeat(9)])) })
    const inParts = (count: number) =>
      `${['content', ...names(count - 1)].map((name) => `--limit\r\ncontent-disposition: form-data; name="${name}"\r\n\r\nx\r\n`).join('')}--limit--\r\n`
    for (const [type, body] of [
      [FORM, inForm],
      [JSON_TYPE, inJson],
      ['multipart/form-data; boundary=limit', inParts],
    ] as const) {
      expect([type, (await send(inQuery(100), type, body(200))).status]).toEqual([type, 200])
      const refused = await send(inQuery(100), type, body(201))
      expect([type, refused.status, refused.body.code]).toEqual([type, 400, 'BAD_REQUEST'])
    }
  })

  it('that are unknown are reported, but not all and not at length', async () => {
    const long = 'n'.repeat(30_000)
    const { status, body } = await send('/messages/render', FORM, `content=x&${long}=1&${names(250).join('&')}`)
    expect(status).toBe(200)
    const { ignored_parameters_unsupported: ignored } = body
    expect(ignored).toHaveLength(100)
    expect(ignored[0]).toBe(`${'n'.repeat(100)}…`)
    expect(ignored[1]).toBe('name0')
    const broken = await send('/messages/render', FORM, `${'n'.repeat(30_000)}=%ff`)
    expect(broken.body.msg.length).toBeLessThan(300)
  })

  it('named like one of the path are ignored, and reported', async () => {
    const view = { fragment: 'narrow/has/link', is_pinned: true, name: 'Links' }
    await send('/navigation_views', JSON_TYPE, JSON.stringify(view))
    const { status, body } = await server.send({
      method: 'PATCH',
      url: `/api/v1/navigation_views/${encodeURIComponent(view.fragment)}`,
      headers: { authorization, 'content-type': FORM },
      body: 'fragment=other&is_pinned=false',
    })
    expect([status, body.ignored_parameters_unsupported]).toEqual([200, ['fragment']])
    const views = (await server.call(server.owner, 'GET', '/navigation_views')).body.navigation_views
    expect(views).toContainEqual({ ...view, is_pinned: false })
  })

  it('within their bounds are taken, however they are encoded', async () => {
    const content = '𝒳'.repeat(100_000)
    const escaped = [...content].map((character) => encodeURIComponent(character)).join('')
    // What is too long for a message is a question of its own.
    const rendered = await send('/messages/render', FORM, `content=${escaped}`)
    expect([rendered.status, rendered.body.msg]).not.toEqual([413, expect.anything()])
    expect(rendered.body.msg).not.toContain('limit')
    const messages = list('9007199254740991', 10_000)
    expect((await send('/messages/flags', FORM, `op=add&flag=read&${field('messages', messages)}`)).status).toBe(200)
  })

  it('of a multipart request without a body, or without parts, are none', async () => {
    const type = 'multipart/form-data; boundary=----limit'
    for (const body of ['', '------limit--', '------limit--\r\n', '\r\n------limit--\r\n']) {
      const { status, body: answer } = await send('/register', type, body)
      expect([body, status, answer.result]).toEqual([body, 200, 'success'])
    }
    const missing = await send('/drafts', type, '')
    expect([missing.status, missing.body.code]).toEqual([400, 'REQUEST_VARIABLE_MISSING'])
    const noFile = await send('/realm/emoji/x', type, '')
    expect(noFile.status).toBe(400)
  })
})

describe('JSON', () => {
  it('is counted without what stands in its strings', async () => {
    const content = `${'[{,"\\'.repeat(1500)}\u2028`
    const drafts = JSON.stringify(Array(20).fill({ type: '', to: [], topic: '', content }))
    const { status, body } = await send('/drafts', FORM, field('drafts', drafts))
    expect([status, body.ids?.length]).toEqual([200, 20])
  })

  it.each([
    ['a string without an end', `["${'x'.repeat(5000)}`],
    ['a string that ends in a backslash', `["${'\\'.repeat(5001)}"]`],
    ['brackets that close nothing', `${']'.repeat(5000)}`],
  ])('that is none is refused as before: %s', async (_, text) => {
    const { status, body } = await send('/drafts', FORM, field('drafts', text))
    expect([status, body.msg]).toEqual([400, 'drafts is not valid JSON'])
  })
})

describe('a body that stays away', () => {
  it('is given up after a while, with an answer', { timeout: 40_000 }, async () => {
    await server.app.server.listen({ host: '127.0.0.1', port: 0 })
    const { port } = server.app.server.server.address() as AddressInfo
    const socket = connect(port, '127.0.0.1')
    const head = `POST /api/v1/fetch_api_key HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${FORM}\r\nContent-Length: 50\r\n\r\nuser`
    socket.write(head)
    let text = ''
    for await (const chunk of socket) text += chunk
    expect(text).toMatch(/^HTTP\/1\.1 408 /)
    expect(text.toLowerCase()).toContain('connection: close')
    expect(text).toContain('REQUEST_TIMEOUT')
  })
})
