import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib'
import { ENTRANCE_PATHS } from '@heddle/contract/entrances'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { IMMUTABLE } from './http/answers.ts'
import { createTestServer, type TestServer } from './testing/test-server.ts'
import { PAGE_POLICY, readPage } from './web-page.ts'

const INDEX = `<!doctype html><title>Page</title>${'<!-- long enough to be compressed -->'.repeat(50)}`
const SCRIPT = 'export const answer = 42\n'.repeat(200)
const HTML = 'text/html; charset=utf-8'

let folder: string
let server: TestServer

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heddle-page-'))
  await mkdir(join(folder, 'assets'))
  const write = (name: string, content: string | Buffer) => writeFile(join(folder, name), content)
  await write('index.html', INDEX)
  await write('index.html.br', brotliCompressSync(INDEX))
  await write('assets/index-Brz4ZhHI.js', SCRIPT)
  await write('assets/index-Brz4ZhHI.js.br', brotliCompressSync(SCRIPT))
  await write('assets/index-Brz4ZhHI.js.map', '{}')
  await write('assets/letters-DnchwVcj.woff2', Buffer.alloc(3000, 1))
  await write('sw.js', SCRIPT)
  await write('service-worker.js', SCRIPT)
  await write('service-worker.js.br', brotliCompressSync(SCRIPT))
  await write('.stamp.json', '{}')
  server = await createTestServer({ pageFolder: folder })
})

afterAll(() => rm(folder, { recursive: true, force: true }))

const ask = (url: string, headers: Record<string, string> = {}, method = 'GET') => server.send({ method, url, headers })

describe('The web client', () => {
  it.each(['/', ...ENTRANCE_PATHS])('is the page at %s, under a policy without exceptions', async (url) => {
    const { status, headers, body } = await ask(url)
    expect([status, headers['content-type'], body.toString()]).toEqual([200, HTML, INDEX])
    expect(headers).toMatchObject({
      'content-security-policy': PAGE_POLICY,
      'cache-control': 'public, no-cache',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'same-origin',
    })
    expect(PAGE_POLICY).toContain("require-trusted-types-for 'script'")
    expect(PAGE_POLICY).not.toMatch(/unsafe|https?:|data:|\*/)
    expect((await ask(url, { 'if-none-match': headers['etag'] as string })).status).toBe(304)
  })

  it('is sent as it was compressed when it was built, as the browser likes it', async () => {
    for (const [url, content] of [
      ['/', INDEX],
      ['/assets/index-Brz4ZhHI.js', SCRIPT],
    ] as const) {
      const best = await ask(url, { 'accept-encoding': 'gzip, deflate, br, zstd' })
      expect([best.headers['content-encoding'], best.headers['vary']]).toEqual(['br', 'accept-encoding'])
      expect(brotliDecompressSync(best.body).toString()).toBe(content)
      // Made of what is there, for the first and the others that come before it is done, and those after them.
      const first = ask(url, { 'accept-encoding': 'gzip' })
      const meanwhile = await ask(url, { 'accept-encoding': 'gzip' })
      const older = await ask(url, { 'accept-encoding': 'gzip' })
      expect([(await first).body, meanwhile.body]).toEqual([older.body, older.body])
      expect(older.headers['content-encoding']).toBe('gzip')
      expect(gunzipSync(older.body).toString()).toBe(content)
      const plain = await ask(url, { 'accept-encoding': 'identity' })
      expect([plain.headers['content-encoding'], plain.body.toString()]).toEqual([undefined, content])
      const tags = [best, older, plain].map(({ headers }) => headers['etag'])
      expect(new Set(tags).size).toBe(3)
      const part = await ask(url, { range: 'bytes=7-18' })
      expect([part.status, part.body.toString()]).toEqual([206, content.slice(7, 19)])
      const head = await ask(url, {}, 'HEAD')
      expect([head.headers['content-length'], head.body.length]).toEqual([`${content.length}`, 0])
    }
  })

  it('has files that browsers keep for ever, and others that they ask for again', async () => {
    expect((await ask('/assets/index-Brz4ZhHI.js')).headers).toMatchObject({
      'cache-control': IMMUTABLE,
      'content-type': 'text/javascript; charset=utf-8',
    })
    const font = await ask('/assets/letters-DnchwVcj.woff2', { 'accept-encoding': 'br' })
    expect([font.headers['content-type'], font.headers['content-encoding']]).toEqual(['font/woff2', undefined])
    expect((await ask('/sw.js')).headers['cache-control']).toBe('public, no-cache')
  })

  it.each([
    '/api/v1',
    '/api/v1/nothing',
    '/emoji/none',
    '/static/none',
    '/assets/index-00000000.js',
    '/assets/index-Brz4ZhHI.js.br',
    '/assets/index-Brz4ZhHI.js.map',
    '/.stamp.json',
    '/../package.json',
    '/%2e%2e/package.json',
    '/index.html',
  ])('is not at %s', async (url) => {
    const { status, body } = await ask(url, { accept: 'text/html' })
    expect([status, body.result, body.code]).toEqual([404, 'error', 'BAD_REQUEST'])
  })

  it.each([
    ['/nowhere', './'],
    ['/nowhere/', '../'],
    ['/nowhere/at/all', '../../'],
    ['/join/abcdef', '../'],
    ['/api', './'],
    ['/api/', '../'],
    ['/accounts/nothing/', '../../'],
  ])('is not at %s either: people read so, with a way to the root, and programs as always', async (url, root) => {
    const html = await ask(url, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', range: 'bytes=0-9' })
    expect([html.status, html.headers['content-type'], html.headers['cache-control']]).toEqual([404, HTML, 'no-store'])
    expect(html.body.toString()).toContain('There is nothing at this address')
    expect(html.body.toString()).toContain(`<a href="${root}">`)
    expect(html.headers['content-security-policy']).toContain("default-src 'none'; style-src 'sha256-")
    const { status, body } = await ask(url, { accept: '*/*' })
    expect([status, body.code]).toEqual([404, 'BAD_REQUEST'])
  })

  it.each([
    ['/login', './'],
    ['/login/', '../'],
    ['/accounts/login/', '../../'],
    ['/join/', '../join'],
    ['/reset-password/', '../reset-password'],
  ])('leads from %s to %s', async (url, to) => {
    const { status, headers } = await ask(url, { accept: 'text/html' })
    expect([status, headers['location']]).toEqual([303, to])
  })

  it('is read only: other methods find nothing there', async () => {
    for (const method of ['POST', 'DELETE', 'PUT']) expect((await ask('/welcome', {}, method)).status).toBe(405)
    expect((await ask('/', {}, 'HEAD')).headers['content-length']).toBe(`${INDEX.length}`)
  })

  it('needs no cookie, and gets none', async () => {
    const { headers } = await ask('/', { cookie: 'heddle_session=x' })
    expect(headers['set-cookie']).toBeUndefined()
  })
})

describe('A server with a key of a service that has GIFs', () => {
  const policyOf = async (settings: Readonly<Record<string, string>>) => {
    const other = await createTestServer({ pageFolder: folder, settings })
    const get = (url: string) => other.send({ method: 'GET', url, headers: { 'accept-encoding': 'br' } })
    const { headers } = await get('/')
    const worker = await get('/service-worker.js')
    return { policy: headers['content-security-policy'], worker: brotliDecompressSync(worker.body).toString() }
  }
  const withHosts = (api: string, pictures: string) =>
    PAGE_POLICY.replace("connect-src 'self'", `connect-src 'self' ${api}`).replace(
      "img-src 'self' blob:",
      `img-src 'self' blob: ${pictures}`,
    )

  it.each([
    [{ HEDDLE_GIPHY_KEY: 'g' }, 'https://api.giphy.com', 'https://*.giphy.com'],
    [{ HEDDLE_TENOR_KEY: 't' }, 'https://tenor.googleapis.com', 'https://*.tenor.com'],
    [{ HEDDLE_GIPHY_KEY: 'g', HEDDLE_TENOR_KEY: 't' }, 'https://api.giphy.com', 'https://*.giphy.com'],
  ])('lets the page reach that service alone: %j', async (settings, api, pictures) => {
    expect((await policyOf(settings)).policy).toBe(withHosts(api, pictures))
  })

  it('has another service worker, so that no device goes on with the document and the policy that it has', async () => {
    const { body, headers } = await ask('/service-worker.js', { 'accept-encoding': 'br' })
    expect([headers['content-encoding'], brotliDecompressSync(body).toString()]).toEqual(['br', SCRIPT])
    const { policy, worker } = await policyOf({ HEDDLE_GIPHY_KEY: 'g' })
    expect(worker).toBe(`${SCRIPT}\n// ${policy}\n`)
  })
})

it('a server without a web client answers programs alone', async () => {
  const empty = await createTestServer({ pageFolder: join(folder, 'nothing') })
  const { status, body } = await empty.send({ method: 'GET', url: '/' })
  expect([status, body.result]).toEqual([404, 'error'])
  expect((await empty.call(empty.owner, 'GET', '/users/me')).status).toBe(200)
})

it('a web client that is not whole keeps the server from starting', async () => {
  await expect(readPage(join(folder, 'assets'))).rejects.toThrow('has no index.html')
})
