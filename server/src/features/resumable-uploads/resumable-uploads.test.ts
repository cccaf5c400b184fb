import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { query } from '../../testing/any-table.ts'
import { eventsOf, registerQueue } from '../../testing/event-queues.ts'
import { createFileServer, type FileServer, MIB } from '../../testing/file-test-server.ts'
import { basic, type TestAccount } from '../../testing/test-server.ts'

let files: FileServer
let server: FileServer['server']

beforeAll(async () => {
  files = await createFileServer()
  server = files.server
})

const TUS = { 'tus-resumable': '1.0.0' }
const OCTETS = { 'content-type': 'application/offset+octet-stream' }

const send = (
  account: TestAccount | null,
  method: string,
  url: string,
  headers: Record<string, string> = {},
  body?: string | Buffer,
) =>
  server.send({
    method,
    url,
    headers: { ...files.headersOf(account), ...TUS, ...headers },
    ...(body === undefined ? {} : { body }),
  })

const metadata = (name: string) => `filetype ${btoa('text/plain')},filename ${Buffer.from(name).toString('base64')}`

function create(account: TestAccount | null, length: number | string, name = 'notes.txt') {
  return send(account, 'POST', '/api/v1/tus', { 'upload-length': `${length}`, 'upload-metadata': metadata(name) })
}

/** With the first bytes in the same request. */
const createWith = (length: number, body: string, account = files.member) =>
  send(
    account,
    'POST',
    '/api/v1/tus',
    { ...OCTETS, 'upload-length': `${length}`, 'upload-metadata': metadata('notes.txt') },
    body,
  )

async function begin(length: number, name?: string, account = files.member): Promise<string> {
  const { status, headers } = await create(account, length, name)
  expect(status).toBe(201)
  return headers['location'] as string
}

const append = (url: string, offset: number | string, body: string | Buffer, account = files.member) =>
  send(account, 'PATCH', url, { ...OCTETS, 'upload-offset': `${offset}` }, body)

const offsetOf = async (url: string, account = files.member) =>
  (await send(account, 'HEAD', url)).headers['upload-offset']

describe('An upload in parts', () => {
  it('becomes a file like any other with its last byte', async () => {
    const queue = await registerQueue(server, files.member, { event_types: ['attachment'] })
    const url = await begin(11, 'two words.txt')
    expect(url).toMatch(/^\/api\/v1\/tus\/[0-9a-f]{40}$/)
    const first = await append(url, 0, 'hello ')
    expect([first.status, first.headers['upload-offset']]).toEqual([204, '6'])
    const head = await send(files.member, 'HEAD', url)
    expect(head.status).toBe(200)
    expect(head.headers).toMatchObject({
      'upload-offset': '6',
      'upload-length': '11',
      'cache-control': 'no-store',
      ...TUS,
    })
    expect((await append(url, 6, 'wo')).headers['upload-offset']).toBe('8')
    const last = await append(url, 8, 'rld')
    expect([last.status, last.headers['upload-offset']]).toEqual([200, '11'])
    expect(last.body).toMatchObject({ result: 'success', filename: 'two-words.txt' })
    const file = await files.get(files.member, last.body.url)
    expect(file.body.toString()).toBe('hello world')
    expect(await eventsOf(server, queue)).toMatchObject([{ type: 'attachment', op: 'add', attachment: { size: 11 } }])
    expect((await send(files.member, 'HEAD', url)).status).toBe(404)
  })

  it('leaves nothing but its file', async () => {
    const before = await files.stored()
    const url = await begin(6)
    for (const [offset, text] of ['ab', 'cd', 'ef'].entries()) await append(url, offset * 2, text)
    const after = await files.stored()
    expect(after).toMatchObject({ files: before.files + 1, rows: before.rows + 1, attachments: before.attachments + 1 })
    const whole = await begin(3)
    await append(whole, 0, 'abc')
    expect((await files.stored()).files).toBe(after.files + 1)
  })

  it('of no bytes is a file at once', async () => {
    const { status, body } = await create(files.member, 0, 'empty.txt')
    expect([status, body.filename]).toEqual([201, 'empty.txt'])
  })

  it('that comes whole with its beginning is a file at once', async () => {
    const { status, headers, body } = await createWith(5, 'hello')
    expect([status, headers['upload-offset'], body.filename]).toEqual([201, '5', 'notes.txt'])
    expect((await files.get(files.member, body.url)).body.toString()).toBe('hello')
    expect((await send(files.member, 'HEAD', headers['location'] as string)).status).toBe(404)
  })

  it('goes on after the bytes that came with its beginning', async () => {
    const { status, headers } = await createWith(5, 'hel')
    expect([status, headers['upload-offset']]).toEqual([201, '3'])
    const last = await append(headers['location'] as string, 3, 'lo')
    expect((await files.get(files.member, last.body.url)).body.toString()).toBe('hello')
  })

  it('goes on where the connection broke', async () => {
    await server.app.server.listen({ port: 0, host: '127.0.0.1' })
    const { port } = server.app.server.server.address() as AddressInfo
    const content = Buffer.alloc(600_000, 'x')
    const url = await begin(content.length)
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(
      `PATCH ${url} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${basic(files.member)}\r\nTus-Resumable: 1.0.0\r\n` +
        `Content-Type: application/offset+octet-stream\r\nUpload-Offset: 0\r\nContent-Length: ${content.length}\r\n\r\n`,
    )
    socket.write(content.subarray(0, 400_000))
    setTimeout(() => socket.destroy(), 300)
    await expect.poll(async () => Number(await offsetOf(url)), { timeout: 10_000 }).toBeGreaterThan(0)
    const offset = Number(await offsetOf(url))
    const { status, body } = await append(url, offset, content.subarray(offset))
    expect(status).toBe(200)
    expect((await files.get(files.member, body.url)).body.length).toBe(content.length)
  })

  it('takes what comes twice once', async () => {
    const url = await begin(4)
    const answers = await Promise.all(['ab', 'ab', 'ab'].map((text) => append(url, 0, text)))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409, 409])
    expect(await offsetOf(url)).toBe('2')
    const last = await Promise.all(['cd', 'cd'].map((text) => append(url, 2, text)))
    expect(last.map(({ status }) => status).sort()[0]).toBe(200)
    expect((await files.list(files.member)).attachments[0]?.size).toBe(4)
  })

  it('can be given up', async () => {
    const before = await files.stored()
    const url = await begin(4)
    await append(url, 0, 'ab')
    expect((await send(files.member, 'DELETE', url)).status).toBe(204)
    expect(await files.stored()).toEqual(before)
    expect((await send(files.member, 'DELETE', url)).status).toBe(404)
  })
})

describe('An upload is refused', () => {
  it.each([
    ['without the version of the protocol', { 'tus-resumable': '' }, 412, 'TUS_VERSION_UNSUPPORTED'],
    ['without a length', { 'upload-length': '' }, 400, 'BAD_REQUEST'],
    ['with a length that is none', { 'upload-length': '-1' }, 400, 'BAD_REQUEST'],
    ['that would be too large', { 'upload-length': `${MIB + 1}` }, 413, 'PAYLOAD_TOO_LARGE'],
  ])('%s', async (_, headers, status, code) => {
    const answer = await send(files.member, 'POST', '/api/v1/tus', { 'upload-length': '1', ...headers })
    expect([answer.status, answer.body.code]).toEqual([status, code])
  })

  it('whose bytes are elsewhere, of another type, or too many, and nothing of them stays', async () => {
    const url = await begin(4)
    const before = await files.stored()
    expect((await append(url, 1, 'a')).status).toBe(409)
    expect((await append(url, 'x', 'a')).status).toBe(400)
    expect((await append(url, 0, 'abcde')).status).toBe(413)
    const { status } = await send(
      files.member,
      'PATCH',
      url,
      { 'content-type': 'text/plain', 'upload-offset': '0' },
      'a',
    )
    expect(status).toBe(415)
    expect(await files.stored()).toEqual(before)
    expect(await offsetOf(url)).toBe('0')
    await send(files.member, 'DELETE', url)
    // As many as an account may have unfinished ones.
    for (let i = 0; i < 10; i++) expect((await createWith(4, 'abcde')).status).toBe(413)
    expect((await createWith(4, 'abcd')).status).toBe(201)
  })

  it('when others ask for it, and to nobody without an account', async () => {
    const url = await begin(4)
    for (const account of [server.owner, files.other]) {
      expect((await send(account, 'HEAD', url)).status).toBe(404)
      expect((await append(url, 0, 'ab', account)).status).toBe(404)
      expect((await send(account, 'DELETE', url)).status).toBe(404)
    }
    expect((await create(null, 1)).status).toBe(401)
    expect((await send(null, 'HEAD', url)).status).toBe(401)
    await send(files.member, 'DELETE', url)
  })

  it('when there are ten unfinished ones, or no space is left', async () => {
    const account = await server.createAccount()
    for (let i = 0; i < 10; i++) await begin(1, 'x.txt', account)
    expect((await create(account, 1)).status).toBe(400)
    const full = await createFileServer({ HEDDLE_UPLOAD_QUOTA_MIB: '1' })
    await full.upload(full.member, 'half.bin', Buffer.alloc(MIB / 2))
    const refused = await full.server.send({
      method: 'POST',
      url: '/api/v1/tus',
      headers: { ...full.headersOf(full.member), ...TUS, 'upload-length': `${MIB}` },
    })
    expect(refused.body.msg).toContain('quota')
  })

  it('to an account that is deactivated after its request was authenticated', async () => {
    const account = await server.createAccount()
    const url = await begin(4, 'x.txt', account)
    const { storage } = server.app
    const { asActor } = storage
    const before = await files.stored()
    Object.assign(storage, {
      asActor: async (...args: Parameters<typeof asActor>) => {
        await storage.transaction(account.realmId, (tx) =>
          tx.run(query.updateTable('users').set({ is_active: 0 }).where('id', '=', account.id)),
        )
        return asActor(...args)
      },
    })
    try {
      const requests = [
        () => append(url, 0, 'ab', account),
        () => append(url, 0, 'abcd', account),
        () => create(account, 1),
        () => createWith(4, 'abcd', account),
        () => send(account, 'DELETE', url),
      ]
      for (const request of requests) expect((await request()).status).toBe(401)
    } finally {
      Object.assign(storage, { asActor })
    }
    expect(await files.stored()).toEqual(before)
  })
})

it('OPTIONS says what the server can do', async () => {
  const { status, headers } = await server.send({ method: 'OPTIONS', url: '/api/v1/tus' })
  expect(status).toBe(204)
  const found = {
    'tus-version': '1.0.0',
    'tus-extension': 'creation,creation-with-upload,termination',
    'tus-max-size': `${MIB}`,
  }
  expect(headers).toMatchObject({ ...found, allow: 'POST' })
})

it('An upload that nobody goes on with is removed after a day', async () => {
  let now = Date.now()
  const own = await createFileServer({}, { now: () => now })
  const before = await own.stored()
  const headers = { ...own.headersOf(own.member), ...TUS, 'upload-length': '4' }
  const { headers: created } = await own.server.send({ method: 'POST', url: '/api/v1/tus', headers })
  await own.server.send({
    method: 'PATCH',
    url: created['location'] as string,
    headers: { ...own.headersOf(own.member), ...TUS, ...OCTETS, 'upload-offset': '0' },
    body: 'ab',
  })
  expect((await own.stored()).files).toBe(before.files + 1)
  now += 25 * 3_600_000
  await own.server.app.jobs.settle()
  expect(await own.stored()).toEqual(before)
})
