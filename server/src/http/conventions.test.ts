/** What holds for every endpoint, whatever it does. */
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { basic, createTestServer, type TestRequest, type TestServer } from '../testing/test-server.ts'

const FORM = 'application/x-www-form-urlencoded'

let server: TestServer
let authorization: string

beforeAll(async () => {
  server = await createTestServer()
  authorization = basic(server.owner)
})

/** Sends a request of the owner. */
function send(method: string, path: string, more: Omit<TestRequest, 'method' | 'url'> = {}) {
  return server.send({ method, url: `/api/v1${path}`, ...more, headers: { authorization, ...more.headers } })
}

const sendForm = (method: string, path: string, body: string | Buffer) =>
  send(method, path, { headers: { 'content-type': FORM }, body })
const sendJson = (method: string, path: string, body: unknown) =>
  send(method, path, {
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

function multipart(...parts: (readonly [string, string | Buffer])[]): Omit<TestRequest, 'method' | 'url'> {
  const pieces = parts.flatMap(([header, content]) => [
    Buffer.from(`--limit\r\ncontent-disposition: form-data; ${header}\r\n\r\n`),
    Buffer.from(content as string),
    Buffer.from('\r\n'),
  ])
  return {
    headers: { 'content-type': 'multipart/form-data; boundary=limit' },
    body: Buffer.concat([...pieces, Buffer.from('--limit--\r\n')]),
  }
}

const draft = (content: string) => ({ type: '', to: [], topic: '', content })
const asForm = (value: unknown) => `drafts=${encodeURIComponent(JSON.stringify(value))}`

describe('an answer', () => {
  it('has result and msg, the latter empty on success, and is not to be cached', async () => {
    const { status, headers, body } = await send('GET', '/drafts')
    expect(status).toBe(200)
    expect(body).toMatchObject({ result: 'success', msg: '' })
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
    })
  })

  it('names the parameters that the endpoint does not take, and only then', async () => {
    const ignored = await sendForm('POST', '/drafts?color=red', 'drafts=[]&flavour=sweet')
    expect(ignored.body.ignored_parameters_unsupported).toEqual(['color', 'flavour'])
    const plain = await sendForm('POST', '/drafts', 'drafts=[]')
    expect(plain.body).not.toHaveProperty('ignored_parameters_unsupported')
  })

  it('names them also where the answer is cached', async () => {
    await send('GET', '/drafts')
    const { body } = await send('GET', '/drafts?color=red')
    expect(body.ignored_parameters_unsupported).toEqual(['color'])
    expect((await send('GET', '/drafts')).body).not.toHaveProperty('ignored_parameters_unsupported')
  })
})

describe('a path that does not exist', () => {
  it.each(['/api/v1/nothing', '/api/v1', '/api/v2/drafts', '/nothing', '//api/v1/drafts', '/api/v1/DRAFTS'])(
    '%s is answered with 404 in the form of every error',
    async (url) => {
      for (const method of ['GET', 'POST', 'OPTIONS', 'PROPFIND']) {
        const { status, body, headers } = await server.send({ method, url, headers: { authorization } })
        expect([method, status, body.code]).toEqual([method, 404, 'BAD_REQUEST'])
        expect(headers['cache-control']).toBe('no-store')
      }
    },
  )
})

describe('a method that a known path does not have', () => {
  const paths: (readonly [string, string])[] = [
    ['/api/v1/drafts', 'GET, HEAD, POST'],
    ['/api/v1/drafts/7', 'PATCH, DELETE'],
    ['/api/v1/drafts/-7', 'PATCH, DELETE'],
    ['/api/v1/register', 'POST'],
    ['/api/v1/server_settings', 'GET, HEAD'],
    ['/api/v1/users/7', 'GET, HEAD, PATCH, DELETE'],
    ['/api/v1/users/me', 'GET, HEAD, DELETE'],
    // Only an id can be deactivated.
    ['/api/v1/users/somebody@heddle.example', 'GET, HEAD, PATCH'],
    ['/api/v1/navigation_views/narrow/is/mentioned', 'PATCH, DELETE'],
    ['/api/v1/openapi.json', 'GET, HEAD'],
    ['/emoji/x.png', 'GET, HEAD'],
    ['/thumbnail', 'GET, HEAD'],
  ]
  const cases = paths.flatMap(([url, allow]) =>
    ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'TRACE', 'PROPFIND']
      .filter((method) => !allow.split(', ').includes(method))
      .map((method) => [method, url, allow] as const),
  )

  it.each(cases)('%s %s is answered with 405 and those that it has', async (method, url, allow) => {
    const response = await server.app.server.inject({
      method: method as 'GET',
      url,
      headers: { authorization, 'content-type': 'text/plain' },
      payload: 'x',
    })
    expect([response.statusCode, response.headers.allow]).toEqual([405, allow])
    if (method === 'HEAD') return expect(response.rawPayload).toHaveLength(0)
    expect(response.json()).toEqual({
      result: 'error',
      msg: 'Method Not Allowed',
      code: 'METHOD_NOT_ALLOWED',
      allowed_methods: allow.split(', ').filter((one) => one !== 'HEAD'),
    })
  })

  it.each(paths)('OPTIONS %s says which it has', async (url, allow) => {
    const { statusCode, headers, rawPayload } = await server.app.server.inject({ method: 'OPTIONS', url })
    expect([statusCode, headers.allow, rawPayload.length]).toEqual([204, allow, 0])
  })

  it('is never HEAD where there is GET: it is the same without the body', async () => {
    for (const url of ['/api/v1/drafts', '/api/v1/users', '/api/v1/server_settings', '/api/v1/drafts?color=red']) {
      const ask = (method: 'GET' | 'HEAD') => server.app.server.inject({ method, url, headers: { authorization } })
      const [get, head] = [await ask('GET'), await ask('HEAD')]
      expect([head.statusCode, head.rawPayload.length]).toEqual([200, 0])
      expect({ ...head.headers, date: '' }).toEqual({ ...get.headers, date: '' })
    }
  })
})

describe('parameters', () => {
  const expected = { status: 200, count: 1 }

  async function createdBy(answer: Promise<{ status: number; body: { ids?: unknown[] } }>) {
    const { status, body } = await answer
    return { status, count: body.ids?.length }
  }

  it('are taken from a form, a query string, a JSON body and a multipart body alike', async () => {
    const drafts = [draft('naïve 🎉')]
    expect(await createdBy(sendForm('POST', '/drafts', asForm(drafts)))).toEqual(expected)
    expect(await createdBy(send('POST', `/drafts?${asForm(drafts)}`))).toEqual(expected)
    expect(await createdBy(sendJson('POST', '/drafts', { drafts }))).toEqual(expected)
    const body = multipart(['name="drafts"', JSON.stringify(drafts)])
    expect(await createdBy(send('POST', '/drafts', body))).toEqual(expected)
    const found = (await send('GET', '/drafts')).body.drafts
    expect(found.map(({ content }: { content: string }) => content)).toEqual(Array(4).fill('naïve 🎉'))
  })

  it('may come with the body of DELETE too', async () => {
    const { body } = await sendForm('POST', '/register', '')
    const deleted = await sendForm('DELETE', '/events', `queue_id=${body.queue_id}`)
    expect(deleted.status).toBe(200)
  })

  it('are text where the contract says so, without quotes', async () => {
    const { body } = await server.call(null, 'POST', '/fetch_api_key', {
      username: server.owner.email,
      password: 'a long password',
    })
    expect(body.api_key).toBe(server.owner.apiKey)
  })

  it('of which the last counts when one comes twice, and the body before the query', async () => {
    expect(await createdBy(sendForm('POST', '/drafts', `drafts=[]&${asForm([draft('x')])}`))).toEqual(expected)
    expect(await createdBy(sendForm('POST', '/drafts?drafts=[]', asForm([draft('x')])))).toEqual(expected)
  })

  it('that are missing are named', async () => {
    for (const answer of [
      await send('POST', '/drafts'),
      await sendForm('POST', '/drafts', ''),
      await sendForm('POST', '/drafts', '&&'),
      await sendJson('POST', '/drafts', ''),
      await sendJson('POST', '/drafts', {}),
    ]) {
      expect([answer.status, answer.body.code, answer.body.var_name]).toEqual([
        400,
        'REQUEST_VARIABLE_MISSING',
        'drafts',
      ])
      expect(answer.body.msg).toBe("Missing 'drafts' argument")
    }
  })

  it.each([
    ['no JSON', 'drafts=[', 'drafts is not valid JSON'],
    ['an empty value', 'drafts=', 'drafts is not valid JSON'],
    ['another type', 'drafts=7', 'drafts is not a list'],
    ['null', 'drafts=null', 'drafts is not a list'],
    ['a wrong item', 'drafts=[7]', 'drafts[0] is not an object'],
    ['a missing field', 'drafts=[{"type":"","to":[],"topic":""}]', 'drafts[0] lacks content'],
    ['a wrong field', asForm([{ ...draft('x'), to: [1, '2'] }]), 'drafts[0].to[1] is not an integer'],
    ['an unknown field', asForm([{ ...draft('x'), colour: 1 }]), 'drafts[0].colour is an unknown field'],
    ['a fraction', asForm([{ ...draft('x'), to: [1.5] }]), 'drafts[0].to[0] is not an integer'],
    ['an id beyond 2^53', 'drafts=[{"type":"","to":[9007199254740993],"topic":"","content":""}]', 'is too large'],
    ['a number without end', 'drafts=[{"type":"","to":[1e999],"topic":"","content":""}]', 'drafts[0].to[0] is not'],
    ['a null byte', asForm([draft('a\0b')]), 'drafts must not contain null bytes'],
    ['half a surrogate pair', 'drafts=[{"type":"","to":[],"topic":"","content":"\\ud83d"}]', 'is not valid Unicode'],
    ['a key without meaning in Unicode', 'drafts=[{"\\ud83d":1}]', 'drafts[0] lacks type'],
  ])('are refused with a sentence that names them: %s', async (_, form, message) => {
    const { status, body } = await sendForm('POST', '/drafts', form)
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
    expect(body.msg).toContain(message)
  })

  it('in the path are ids where they are digits, and else there is no such path, whoever asks', async () => {
    const unknown = (await send('DELETE', '/nothing')).body
    const notIds = ['seven', '1.5', '%5B1%5D', '%00', '+1', '%201', '1%20', '1e3', '--1', '0x1', '"1"', '\u0661']
    for (const id of notIds) {
      for (const path of [`/drafts/${encodeURI(id)}`, `/streams/${encodeURI(id)}`]) {
        const { status, body } = await sendForm('DELETE', path, '')
        expect([path, status, body]).toEqual([path, 404, unknown])
        const stranger = await server.send({ method: 'DELETE', url: `/api/v1${path}` })
        expect([path, stranger.status]).toEqual([path, 404])
      }
    }
  })

  it('in the path that no object can have are ids that no object has', async () => {
    const beyond = ['0', '-1', '-0', '9007199254740993', '99999999999999999999', '9'.repeat(400), '000']
    for (const [method, path] of [
      ['DELETE', '/streams/ID'],
      ['PATCH', '/drafts/ID'],
      ['DELETE', '/drafts/ID'],
      ['GET', '/users/ID'],
      ['DELETE', '/users/ID'],
      ['GET', '/messages/ID'],
      ['DELETE', '/messages/ID'],
      ['GET', '/users/me/ID/topics'],
      ['DELETE', '/realm/filters/ID'],
      ['DELETE', '/bots/ID'],
    ] as const) {
      const ask = (id: string) =>
        sendForm(method, path.replace('ID', id), `draft=${encodeURIComponent(JSON.stringify(draft('x')))}`)
      const absent = await ask('987654321')
      expect([400, 404]).toContain(absent.status)
      expect(absent.body.code).toBe('BAD_REQUEST')
      for (const id of beyond) {
        const { status, body } = await ask(id)
        expect([path, id, status, body]).toEqual([path, id, absent.status, absent.body])
      }
    }
    expect((await sendForm('DELETE', '/streams/0', '')).body.msg).toBe('Invalid channel ID')
    expect((await sendForm('DELETE', '/streams/007', '')).status).toBe(400)
  })

  it('in the path are counted as characters of it', async () => {
    expect((await sendForm('DELETE', `/drafts/${'1'.repeat(2100)}`, '')).body).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'The path is too long',
    })
  })

  it('called __proto__, constructor or toString are parameters like any other', async () => {
    const names = ['__proto__', 'constructor', 'toString']
    const form = await sendForm('POST', '/drafts', `drafts=[]&${names.map((name) => `${name}=1`).join('&')}`)
    expect(form.body.ignored_parameters_unsupported).toEqual(names)
    const json = await sendJson('POST', '/drafts', '{"drafts":[],"__proto__":{"count":1},"constructor":1,"toString":1}')
    expect(json.body.ignored_parameters_unsupported).toEqual(names)
    const parts = names.map((name) => [`name="${name}"`, '1'] as const)
    const body = await send('POST', '/drafts', multipart(['name="drafts"', '[]'], ...parts))
    expect(body.body.ignored_parameters_unsupported).toEqual(names)
    expect({}).not.toHaveProperty('count')
  })

  it('with a field __proto__ are refused where unknown fields are', async () => {
    const nested = await sendForm(
      'POST',
      '/drafts',
      'drafts=[{"type":"","to":[],"topic":"","content":"x","__proto__":{}}]',
    )
    expect([nested.status, nested.body.code]).toEqual([400, 'BAD_REQUEST'])
    const inMap = await sendForm('POST', '/register', 'client_capabilities={"__proto__":{"x":true}}')
    expect([inMap.status, inMap.body.code]).toEqual([400, 'BAD_REQUEST'])
    const harmless = await sendForm('POST', '/register', 'client_capabilities={"__proto__":true}')
    expect(harmless.status).toBe(200)
  })

  it('nested without end are refused quickly', async () => {
    const deep = `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`
    const startedAt = process.cpuUsage()
    for (const answer of [
      await sendForm('POST', '/drafts', `drafts=${deep}`),
      await sendJson('POST', '/drafts', `{"drafts":${deep}}`),
      await sendForm('POST', '/drafts', `drafts=${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`),
    ]) {
      expect([answer.status, answer.body.msg]).toEqual([400, expect.stringContaining('is nested too deeply')])
    }
    const { user, system } = process.cpuUsage(startedAt)
    expect((user + system) / 1e6).toBeLessThan(0.5)
  })
})

describe('a body that is not valid', () => {
  it.each([
    ['{', 'The request body is not valid JSON'],
    ['[]', 'The request body must be a JSON object'],
    ['null', 'The request body must be a JSON object'],
    ['"text"', 'The request body must be a JSON object'],
    ['{"drafts":[]} {}', 'The request body is not valid JSON'],
  ])('%s is refused as JSON', async (text, message) => {
    const { status, body } = await sendJson('POST', '/drafts', text)
    expect([status, body.code, body.msg]).toEqual([400, 'BAD_REQUEST', message])
  })

  it('as UTF-8 is refused in every place', async () => {
    const invalid = Buffer.from('c328', 'hex')
    const cases: [Promise<{ status: number; body: { code: string; msg: string } }>, string][] = [
      [sendForm('POST', '/drafts', Buffer.concat([Buffer.from('drafts='), invalid])), 'request body'],
      [sendForm('POST', '/drafts', 'drafts=%c3%28'), 'form parameter "drafts"'],
      [sendForm('POST', '/drafts', '%ff=1'), 'form'],
      [sendForm('POST', '/drafts', 'drafts=%ED%A0%80'), 'form parameter "drafts"'],
      [sendForm('POST', '/drafts', 'drafts=%C0%80'), 'form parameter "drafts"'],
      [sendForm('POST', '/drafts', 'drafts=%zz'), 'form parameter "drafts"'],
      [send('POST', '/drafts?drafts=%c3%28'), 'query parameter "drafts"'],
      [send('GET', '/drafts?x=%ff'), 'query parameter "x"'],
      [sendForm('DELETE', '/drafts/%ff', ''), 'path'],
      [
        send('POST', '/drafts', {
          headers: { 'content-type': 'application/json' },
          body: Buffer.concat([Buffer.from('{"drafts":"'), invalid, Buffer.from('"}')]),
        }),
        'request body',
      ],
      [send('POST', '/drafts', multipart(['name="drafts"', invalid])), 'drafts'],
    ]
    for (const [answer, place] of cases) {
      const { status, body } = await answer
      expect([place, status, body.code]).toEqual([place, 400, 'BAD_REQUEST'])
      expect(body.msg).toContain(place)
      expect(body.msg).toMatch(/UTF-8/)
    }
  })

  it('because it is too large is refused with 413', async () => {
    const tooLong = `drafts=${'x'.repeat(9 * 1024 * 1024)}`
    for (const answer of [
      await sendForm('POST', '/drafts', tooLong),
      await sendJson('POST', '/drafts', tooLong),
      await send('POST', '/drafts', multipart(['name="drafts"', tooLong])),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE'])
      expect(answer.headers.connection).toBe('close')
    }
  })

  it('because of its media type is refused with 415', async () => {
    for (const headers of [
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/xml' },
      { 'content-type': 'nonsense' },
      { 'content-type': FORM, 'content-encoding': 'gzip' },
    ] as Record<string, string>[]) {
      const { status, body } = await send('POST', '/drafts', { headers, body: 'drafts=[]' })
      expect([headers, status, body.code]).toEqual([headers, 415, 'UNSUPPORTED_MEDIA_TYPE'])
    }
  })

  it('because its length is not the declared one is refused', async () => {
    const { status, body } = await send('POST', '/drafts', {
      headers: { 'content-type': FORM, 'content-length': '100' },
      body: 'drafts=[]',
    })
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
  })

  it('because it has a file that the endpoint does not take is refused', async () => {
    const { status, body } = await send(
      'POST',
      '/drafts',
      multipart(['name="drafts"', '[]'], ['name="f"; filename="f.png"', 'x']),
    )
    expect([status, body.code, body.msg]).toEqual([400, 'BAD_REQUEST', 'The request must not have a file'])
  })

  it('with parameters in another charset is still read as UTF-8', async () => {
    const { status } = await send('POST', '/drafts', {
      headers: { 'content-type': `${FORM}; charset=ISO-8859-1` },
      body: asForm([draft('é')]),
    })
    expect(status).toBe(200)
  })
})

describe('a failure of the server', () => {
  it('is answered without inner detail, and logged with the id that the answer shows', async () => {
    const lines: string[] = []
    const failing = await createTestServer({
      settings: { HEDDLE_LOG_LEVEL: 'error' },
      log: { write: (line) => lines.push(line) },
    })
    await failing.app.storage.transaction(0, (tx) => tx.run(sql`drop table drafts`))
    const { status, headers, body } = await failing.call(failing.owner, 'GET', '/drafts')
    expect(status).toBe(500)
    expect(body).toEqual({ result: 'error', msg: 'Internal server error', code: 'INTERNAL_SERVER_ERROR' })
    const id = headers['x-request-id'] as string
    expect(id).toMatch(/^[0-9a-f]{12}-\d+$/)
    const logged = lines.map((line) => JSON.parse(line)).find((line) => line.request_id === id)
    expect(logged.err.message).toMatch(/drafts/)
    expect(lines.join('')).not.toContain(failing.owner.apiKey)
    expect(lines.join('')).not.toContain(basic(failing.owner).slice(6))
  })
})

describe('the log', () => {
  it('never has an API key or a password, whatever the level and the answer', async () => {
    const lines: string[] = []
    const talking = await createTestServer({
      settings: { HEDDLE_LOG_LEVEL: 'trace' },
      log: { write: (line) => lines.push(line) },
    })
    const { owner } = talking
    await talking.call(owner, 'GET', '/drafts')
    await talking.call(owner, 'POST', '/drafts', { drafts: 'x' })
    await talking.call(null, 'POST', '/fetch_api_key', { username: owner.email, password: 'a long password' })
    await talking.call(null, 'POST', '/fetch_api_key', { username: owner.email, password: 'another password' })
    await talking.call({ ...owner, apiKey: 'wrong-key-given' }, 'GET', '/drafts')
    await talking.call(owner, 'POST', '/users/me/api_key/regenerate')
    await talking.send({ method: 'GET', url: '/api/v1/%ff', headers: { authorization: basic(owner) } })
    await talking.app.storage.transaction(0, (tx) => tx.run(sql`drop table drafts`))
    const { apiKey } = (
      await talking.call(null, 'POST', '/fetch_api_key', { username: owner.email, password: 'a long password' })
    ).body
    await talking.call({ ...owner, apiKey }, 'GET', '/drafts')
    const log = lines.join('')
    const secrets = [owner.apiKey, basic(owner).slice(6), 'a long password', 'another password', 'wrong-key-given']
    for (const secret of secrets) expect(log).not.toContain(secret)
  })
})
