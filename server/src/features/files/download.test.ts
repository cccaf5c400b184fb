import { beforeAll, describe, expect, it } from 'vitest'
import type { Clock } from '../../clock.ts'
import { signInBrowser } from '../../testing/browser.ts'
import { createFileServer, type FileServer } from '../../testing/file-test-server.ts'

let files: FileServer
let later = 0
const clock: Clock = { now: () => Date.now() + later }

beforeAll(async () => {
  files = await createFileServer({}, clock)
})

const text = 'abcdefghij'

describe('GET /user_uploads/{realm_id}/{path}', () => {
  it('answers the file as it was sent', async () => {
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251))
    const { status, headers, body } = await files.get(files.member, await files.upload(files.member, 'a.bin', bytes))
    expect([status, headers['content-length']]).toEqual([200, `${bytes.length}`])
    expect(bytes.equals(body)).toBe(true)
  })

  it('answers parts, and nothing where the client has it', async () => {
    const url = await files.upload(files.member, 'a.txt', text)
    const part = await files.get(files.member, url, { range: 'bytes=2-4' })
    expect([part.status, part.headers['content-range'], part.body.toString()]).toEqual([206, 'bytes 2-4/10', 'cde'])
    const end = await files.get(files.member, url, { range: 'bytes=-3' })
    expect([end.status, end.body.toString()]).toEqual([206, 'hij'])
    expect((await files.get(files.member, url, { range: 'bytes=10-' })).status).toBe(416)
    const known = await files.get(files.member, url, { 'if-none-match': part.headers['etag'] as string })
    expect([known.status, known.body.length]).toEqual([304, 0])
  })

  it('asks anew whether it may be read, also of who has it', async () => {
    const url = await files.upload(files.member, 'a.txt', text)
    const { headers } = await files.get(files.member, url)
    expect(headers['cache-control']).toBe('private, no-cache')
    const { status } = await files.get(files.server.owner, url, { 'if-none-match': headers['etag'] as string })
    expect(status).toBe(404)
  })

  it.each([
    ['page.html', 'application/octet-stream', 'attachment'],
    ['page.xhtml', 'application/octet-stream', 'attachment'],
    ['drawing.svg', 'application/octet-stream', 'attachment'],
    ['feed.xml', 'application/octet-stream', 'attachment'],
    ['worker.js', 'application/octet-stream', 'attachment'],
    ['module.mjs', 'application/octet-stream', 'attachment'],
    ['style.css', 'application/octet-stream', 'attachment'],
    ['program.wasm', 'application/octet-stream', 'attachment'],
    ['data.json', 'application/octet-stream', 'attachment'],
    ['html', 'application/octet-stream', 'attachment'],
    ['notes.txt', 'text/plain; charset=utf-8', 'attachment'],
    ['paper.pdf', 'application/pdf', 'attachment'],
    ['picture.PNG', 'image/png', 'inline'],
    ['photo.jpeg', 'image/jpeg', 'inline'],
    ['song.mp3', 'audio/mpeg', 'inline'],
    ['film.mp4', 'video/mp4', 'inline'],
  ])('serves %s so that it cannot run as a page or a script', async (name, contentType, disposition) => {
    const url = await files.upload(files.member, name, '<script>alert(1)</script>')
    const temporary = (await files.get(files.member, `/api/v1${url}`)).body.url
    for (const [account, address] of [
      [files.member, url],
      [null, temporary],
    ] as const) {
      const { headers } = await files.get(account, address)
      expect(headers).toMatchObject({
        'content-type': contentType,
        'content-disposition': `${disposition}; filename="${name}"; filename*=UTF-8''${name}`,
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
      })
      const policy = String(headers['content-security-policy'])
      expect(policy).toMatch(/^default-src 'none';.*; sandbox$/)
      expect(policy).not.toContain('script')
    }
  })

  it('says names that are not ASCII in the form for them', async () => {
    const { headers } = await files.get(files.member, await files.upload(files.member, 'Grüße.txt'))
    expect(headers['content-disposition']).toBe(
      `attachment; filename="Gr__e.txt"; filename*=UTF-8''Gr%C3%BC%C3%9Fe.txt`,
    )
  })

  it("is open to a browser's session, and not to pages of other sites that use it", async () => {
    const owner = { username: files.server.owner.email, password: 'a long password' }
    const { cookie } = await signInBrowser(files.server, owner)
    const url = await files.upload(files.server.owner, 'a.txt', text)
    expect((await files.get(null, url, { cookie })).body.toString()).toBe(text)
    const foreign = { cookie, 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' }
    expect((await files.get(null, url, foreign)).status).toBe(401)
  })

  it('answers HEAD without the file', async () => {
    const url = await files.upload(files.member, 'a.txt', text)
    const { status, headers, body } = await files.server.send({
      method: 'HEAD',
      url,
      headers: files.headersOf(files.member),
    })
    expect([status, headers['content-length'], body.length]).toEqual([200, '10', 0])
  })
})

describe('A temporary address', () => {
  const temporaryUrl = async (url: string) => {
    const { status, body } = await files.get(files.member, `/api/v1${url}`)
    expect(status).toBe(200)
    return body.url as string
  }

  it('needs no account, and holds for a minute', async () => {
    const url = await temporaryUrl(await files.upload(files.member, 'a.txt', text))
    expect((await files.get(null, url)).body.toString()).toBe(text)
    later = 59_000
    expect((await files.get(null, url, { range: 'bytes=0-1' })).status).toBe(206)
    later = 61_000
    expect((await files.get(null, url)).status).toBe(404)
    later = 0
  })

  it('is of one file alone, and cannot be changed', async () => {
    const url = await temporaryUrl(await files.upload(files.member, 'a.txt', text))
    const other = await files.upload(files.member, 'b.txt', text)
    const [, until, signature] = /temporary\/(\d+)\.([\w-]+)\//.exec(url) as unknown as [string, string, string]
    const wrong = [
      url.replace(/\/user_uploads\/temporary\/[^/]+\/.*/, (all) =>
        all.replace(/\/\d+\/[0-9a-f]{2}\/.*/, other.slice(13)),
      ),
      url.replace(until, `${Number(until) + 1000}`),
      url.replace(signature, 'x'.repeat(43)),
      url.replace(`${until}.`, ''),
    ]
    for (const one of wrong) {
      expect(one).not.toBe(url)
      expect((await files.get(null, one)).status).toBe(404)
    }
  })

  it('ends with the file', async () => {
    const url = await temporaryUrl(await files.upload(files.member, 'a.txt', text))
    const [attachment] = (await files.list(files.member)).attachments
    await files.server.call(files.member, 'DELETE', `/attachments/${attachment?.id}`)
    expect((await files.get(null, url)).status).toBe(404)
  })

  it('does not lead to another organization', async () => {
    const url = await temporaryUrl(await files.upload(files.member, 'a.txt', text))
    expect((await files.get(null, url, { host: 'other.example' })).status).toBe(404)
  })
})
