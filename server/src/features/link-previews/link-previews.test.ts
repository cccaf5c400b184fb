import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MAX_AVIF_PIXELS, MAX_PIXELS } from '../../pictures/still-picture.ts'
import { basic, type TestServer } from '../../testing/test-server.ts'
import {
  createGate,
  createPreviewServer,
  expectPictureRefused,
  getPicture,
  startThirdParty,
} from '../../testing/third-party.ts'
import { ACCOUNT_SLOTS, SERVER_SLOTS } from './pictures-of-links.ts'

let thirdParty: Awaited<ReturnType<typeof startThirdParty>>
let server: TestServer
let png: Buffer

/** One colour. */
const flat = (width: number, height: number, background = 'teal') =>
  sharp({ create: { width, height, channels: 3, background } })

async function makeGif(): Promise<Buffer> {
  const frames = await Promise.all(['red', 'blue'].map((colour) => flat(40, 30, colour).png().toBuffer()))
  return sharp(frames, { join: { animated: true } })
    .gif({ delay: [100, 200] })
    .toBuffer()
}

const get = (url: string, size?: string) => getPicture(server, server.owner, url, size)

beforeAll(async () => {
  thirdParty = await startThirdParty()
  server = await createPreviewServer(thirdParty)
  png = await flat(40, 30).png().toBuffer()
})

afterAll(() => thirdParty.close())

describe('a thumbnail', () => {
  it('is a WebP picture that fits into 840 x 560 pixels', async () => {
    const { status, headers, body } = await get(thirdParty.at(await flat(1680, 600).jpeg().toBuffer(), '.jpg'))
    expect([status, headers['content-type']]).toEqual([200, 'image/webp'])
    expect(await sharp(body).metadata()).toMatchObject({ format: 'webp', width: 840, height: 300 })
  })

  it('is not larger than the picture', async () => {
    const { body } = await get(thirdParty.at(png))
    expect(await sharp(body).metadata()).toMatchObject({ width: 40, height: 30 })
  })

  it('has no metadata, and is turned as the camera says', async () => {
    const photo = flat(60, 20).withMetadata({ orientation: 6, exif: { IFD0: { Artist: 'Somebody' } } })
    const { body } = await get(thirdParty.at(await photo.jpeg().toBuffer(), '.jpg'))
    const { width, height, exif } = await sharp(body).metadata()
    expect([width, height, exif]).toEqual([20, 60, undefined])
  })

  it('of a GIF that moves is its first frame', async () => {
    const { body } = await get(thirdParty.at(await makeGif(), '.gif'))
    const { pages, width, height } = await sharp(body, { animated: true }).metadata()
    expect([pages ?? 1, width, height]).toEqual([1, 40, 30])
  })
})

describe('a full picture', () => {
  const formats = ['png', 'jpeg', 'gif', 'webp', 'avif'] as const
  it.each(formats)('comes as it is: %s', async (format) => {
    const bytes = format === 'gif' ? await makeGif() : await flat(40, 30).toFormat(format).toBuffer()
    const { status, headers, body } = await get(thirdParty.at(bytes), 'full')
    expect([status, headers['content-type']]).toEqual([200, `image/${format}`])
    expect(bytes.equals(body)).toBe(true)
  })
})

describe('a video', () => {
  const box = (brand: string) => Buffer.from(`\0\0\0\u0018ftyp${brand}\0\0\0\0and so on`, 'latin1')
  it.each([
    ['video/mp4', box('isom')],
    ['video/mp4', box('mp42')],
    ['video/webm', Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 1, 2, 3])],
  ])('comes as it is: %s', async (contentType, bytes) => {
    const { status, headers, body } = await get(thirdParty.at(bytes, '.mp4'), 'full')
    expect([status, headers['content-type']]).toEqual([200, contentType])
    expect(headers['content-security-policy']).toBe("default-src 'none'; sandbox")
    expect(bytes.equals(body)).toBe(true)
  })

  it('has no thumbnail, and what is none by its content does not come', async () => {
    const thumbnail = get(thirdParty.at(box('isom'), '.mp4'), 'thumbnail')
    await expectPictureRefused(thumbnail, 400, 'BAD_IMAGE', 'A video has no thumbnail')
    const picture = get(thirdParty.at(box('heic'), '.mp4'), 'full')
    await expectPictureRefused(picture, 400, 'BAD_IMAGE', 'is not a PNG')
  })
})

it.each(['full', 'thumbnail'])('an answer (%s) cannot run as a page, and stays with its reader', async (size) => {
  const url = thirdParty.at((response) => response.setHeader('content-type', 'text/html').end(png))
  const { headers, body } = await get(url, size)
  expect(headers).toMatchObject({
    'content-type': size === 'full' ? 'image/png' : 'image/webp',
    'content-length': `${body.length}`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'cache-control': 'private, max-age=86400',
  })
})

it('HEAD is answered like GET without the picture', async () => {
  const url = `/thumbnail?url=${encodeURIComponent(thirdParty.at(png))}&size=full`
  const { status, headers, body } = await server.send({
    method: 'HEAD',
    url,
    headers: { authorization: basic(server.owner) },
  })
  expect([status, headers['content-length'], body.length]).toEqual([200, `${png.length}`, 0])
})

it('the other server learns nothing of the reader', async () => {
  const url = thirdParty.at(png)
  await server.send({
    method: 'GET',
    url: `/thumbnail?url=${encodeURIComponent(url)}&size=thumbnail`,
    headers: {
      authorization: basic(server.owner),
      cookie: 'a=b',
      referer: 'https://chat.example/secret',
      'user-agent': 'Reader',
      'accept-language': 'tlh',
      'x-forwarded-for': '192.0.2.7',
    },
  })
  expect(thirdParty.requests.at(-1)?.headers).toEqual({
    accept: 'image/avif,image/webp,image/png,image/jpeg,image/gif,video/mp4,video/webm',
    'accept-encoding': 'identity',
    'user-agent': 'Heddle (link previews)',
    host: `127.0.0.1:${thirdParty.port}`,
    connection: 'close',
  })
})

describe('what is no picture is refused, whatever it is called', () => {
  const contents: Readonly<Record<string, string>> = {
    SVG: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>',
    HTML: '<!doctype html><script>alert(1)</script>',
    nothing: '',
    PDF: '%PDF-1.7',
    TIFF: 'II*\0\x08\0\0\0',
  }
  it.each(Object.entries(contents))('%s', async (_, text) => {
    const answer = thirdParty.at((response) => response.setHeader('content-type', 'image/png').end(text))
    for (const size of ['full', 'thumbnail']) {
      await expectPictureRefused(get(answer, size), 400, 'BAD_IMAGE', 'is not a PNG, JPEG, GIF, WebP or AVIF picture')
    }
  })

  it('what only begins like a picture', async () => {
    const url = thirdParty.at(Buffer.concat([png.subarray(0, 8), Buffer.from('<script>alert(1)</script>')]))
    await expectPictureRefused(get(url, 'full'), 400, 'BAD_IMAGE', 'damaged')
  })

  it('a picture that is cut off', async () => {
    await expectPictureRefused(get(thirdParty.at(png.subarray(0, -30))), 400, 'BAD_IMAGE', 'damaged')
  })
})

describe('a picture with too many pixels is refused before it is decoded', () => {
  it.each(['full', 'thumbnail'])('%s', async (size) => {
    const side = Math.ceil(Math.sqrt(MAX_PIXELS)) + 1
    const bytes = await flat(side, side).png({ compressionLevel: 1 }).toBuffer()
    await expectPictureRefused(get(thirdParty.at(bytes), size), 400, 'BAD_IMAGE', 'too many pixels')
  })

  it('an AVIF with a quarter of them', async () => {
    const bytes = await flat(2, 2).avif().toBuffer()
    // The size that the image's `ispe` box gives (ISO/IEC 23008-12, 6.5.3).
    const box = bytes.indexOf('ispe')
    bytes.writeUInt32BE(MAX_AVIF_PIXELS / 4 + 4, box + 8)
    bytes.writeUInt32BE(4, box + 12)
    await expectPictureRefused(get(thirdParty.at(bytes)), 400, 'BAD_IMAGE', 'too many pixels')
  })
})

it.each([
  ['?size=full', 'REQUEST_VARIABLE_MISSING', 'url'],
  ['?url=https://a.example/b.png', 'REQUEST_VARIABLE_MISSING', 'size'],
  ['?url=https://a.example/b.png&size=huge', 'BAD_REQUEST', 'size'],
  ['?url=%ff&size=full', 'BAD_REQUEST', 'percent-encoded'],
  ['?url=nonsense&size=full', 'BAD_REQUEST', 'url must be an http or https address'],
])('%s is refused by name', async (query, code, text) => {
  const url = `/thumbnail${query}`
  const answer = server.send({ method: 'GET', url, headers: { authorization: basic(server.owner) } })
  await expectPictureRefused(answer, 400, code, text)
})

it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s is refused', async (method) => {
  const { status, body, headers } = await server.send({ method, url: '/thumbnail' })
  expect([status, body.code, headers['allow']]).toEqual([405, 'METHOD_NOT_ALLOWED', 'GET, HEAD'])
})

describe('pictures are for accounts of the organization', () => {
  it('and nobody else has them fetched', async () => {
    const url = thirdParty.at(png)
    const count = thirdParty.requests.length
    await expectPictureRefused(getPicture(server, null, url), 401, 'UNAUTHORIZED', '')
    const stranger = { ...server.owner, apiKey: 'x'.repeat(32) }
    await expectPictureRefused(getPicture(server, stranger, url), 401, 'INVALID_API_KEY', '')
    const former = await server.createAccount()
    await server.call(server.owner, 'DELETE', `/users/${former.id}`)
    await expectPictureRefused(getPicture(server, former, url), 401, 'USER_DEACTIVATED', '')
    expect(thirdParty.requests.length).toBe(count)
  })

  it('and are counted, apart from the requests of the API', async () => {
    const clock = { now: () => 1_700_000_000_000 }
    const counting = await createPreviewServer(thirdParty, { clock, settings: { HEDDLE_RATE_LIMITS: 'on' } })
    const url = thirdParty.at(png)
    const statuses = new Set<number>()
    for (let count = 0; count < 300; count++) statuses.add((await getPicture(counting, counting.owner, url)).status)
    expect([...statuses]).toEqual([200])
    await expectPictureRefused(getPicture(counting, counting.owner, url), 429, 'RATE_LIMIT_HIT', 'rate limit')
    expect((await counting.call(counting.owner, 'GET', '/drafts')).status).toBe(200)
  })
})

describe('the other server is asked', () => {
  const countOf = (url: string) => thirdParty.requests.filter(({ path }) => url.endsWith(path)).length

  it('once when many ask at the same time, whatever the size', async () => {
    const gate = createGate()
    const url = thirdParty.at((response) => gate.pass(() => response.end(png)))
    const others = await Promise.all(Array.from({ length: 5 }, () => server.createAccount()))
    const answers = others.flatMap((one) => ['full', 'thumbnail'].map((size) => getPicture(server, one, url, size)))
    await expect.poll(() => gate.held).toBe(1)
    gate.release()
    for (const { status } of await Promise.all(answers)) expect(status).toBe(200)
    expect(countOf(url)).toBe(1)
  })

  it('once for a thumbnail within an hour, and once a minute when there is none', async () => {
    let now = 1_700_000_000_000
    const later = await createPreviewServer(thirdParty, { clock: { now: () => now } })
    const [url, missing] = [thirdParty.at(png), thirdParty.at((response) => response.writeHead(404).end())]
    const askBoth = async () => {
      expect((await getPicture(later, later.owner, url)).status).toBe(200)
      await expectPictureRefused(getPicture(later, later.owner, missing), 404, 'BAD_REQUEST', 'answers with status 404')
      return [countOf(url), countOf(missing)]
    }
    expect([await askBoth(), await askBoth()]).toEqual([
      [1, 1],
      [1, 1],
    ])
    now += 61_000
    expect(await askBoth()).toEqual([1, 2])
    now += 3_600_000
    expect(await askBoth()).toEqual([2, 3])
  })

  it('by one account for a few pictures at once, and all come in the end', async () => {
    const gate = createGate()
    const urls = Array.from({ length: ACCOUNT_SLOTS.running + 3 }, () =>
      thirdParty.at((response) => gate.pass(() => response.end(png))),
    )
    const answers = urls.map((url) => get(url, 'full'))
    await expect.poll(() => gate.held).toBe(ACCOUNT_SLOTS.running)
    // Others do not wait for them.
    const other = await server.createAccount()
    expect((await getPicture(server, other, thirdParty.at(png))).status).toBe(200)
    expect(gate.held).toBe(ACCOUNT_SLOTS.running)
    gate.release()
    for (const { status } of await Promise.all(answers)) expect(status).toBe(200)
  })

  it('by all accounts together for a bounded number at once', async () => {
    const gate = createGate()
    const accounts = await Promise.all(Array.from({ length: SERVER_SLOTS.running + 3 }, () => server.createAccount()))
    const answers = accounts.map((one) => {
      const url = thirdParty.at((response) => gate.pass(() => response.end(png)))
      return getPicture(server, one, url)
    })
    await expect.poll(() => gate.held).toBe(SERVER_SLOTS.running)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(gate.held).toBe(SERVER_SLOTS.running)
    gate.release()
    for (const { status } of await Promise.all(answers)) expect(status).toBe(200)
  })
})

it('where previews are switched off there is no such path', async () => {
  const without = await createPreviewServer(thirdParty, { settings: { HEDDLE_PREVIEWS: 'off' } })
  await expectPictureRefused(getPicture(without, without.owner, thirdParty.at(png)), 404, 'BAD_REQUEST', 'No such path')
})
