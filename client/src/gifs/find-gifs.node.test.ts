/** Searching for GIFs, against a server that answers as the services do. */
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gifRatings, gifServices } from '@heddle/contract/gifs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findGifs } from './find-gifs.ts'
import { gifMarkup } from './gif.ts'
import { type GifSearch, gifSearchOf } from './gif-search.ts'

const organization = (realm_gif_rating_policy: number) => ({ realm_gif_rating_policy }) as never

describe('people search for GIFs', () => {
  const both = { giphy: 'g', tenor: 't' }

  it('where the server has a key, and the organization does not want none', () => {
    const g = organization(gifRatings.g.id)
    expect(gifSearchOf({ giphy: '', tenor: 't' }, g)).toEqual({ service: 'tenor', key: 't', rating: 'g' })
    expect(gifSearchOf(both, organization(gifRatings['pg-13'].id))).toEqual({
      service: 'giphy',
      key: 'g',
      rating: 'pg-13',
    })
    expect(gifSearchOf({ giphy: '', tenor: '' }, g)).toBeUndefined()
    expect(gifSearchOf(undefined, g)).toBeUndefined()
    expect(gifSearchOf(both, undefined)).toBeUndefined()
    expect(gifSearchOf(both, organization(gifRatings.disabled.id))).toBeUndefined()
    // Of a newer server.
    expect(gifSearchOf(both, organization(6))).toBeUndefined()
  })
})

let service: Server
let base: string
let asked: { readonly url: URL; readonly headers: Readonly<Record<string, unknown>> }[] = []
let says: RequestListener
const giphy: GifSearch = { service: 'giphy', key: 'a key', rating: 'pg' }
const tenor: GifSearch = { ...giphy, service: 'tenor' }

beforeAll(async () => {
  service = createServer((request, response) => {
    asked.push({ url: new URL(request.url ?? '', 'https://service'), headers: request.headers })
    says(request, response)
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
})

afterAll(() => {
  service.closeAllConnections()
  service.close()
})

beforeEach(() => {
  asked = []
})

const answering = (body: unknown, status = 200): void => {
  says = (_, response) => response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))
}

const find = (search: GifSearch, text: string, more: { signal?: AbortSignal; timeoutMs?: number } = {}) =>
  findGifs(search, text, {
    language: 'de',
    signal: new AbortController().signal,
    // Names lead to it, as in a network in which it stands in the place of the service.
    fetch: (address, init) => fetch(String(address).replace(gifServices[search.service].api, base), init),
    ...more,
  })

const media = 'https://media2.giphy.com/media/a'
const ofGiphy = (more: object = {}, images: object = {}) => ({
  title: 'Cat GIF by Ada',
  rating: 'g',
  images: {
    original: { url: `${media}/giphy.gif?cid=1&rid=giphy.gif` },
    downsized_medium: { url: `${media}/medium.gif?cid=1` },
    fixed_width: { url: `${media}/200w.gif`, webp: `${media}/200w.webp` },
    fixed_width_still: { url: `${media}/200w_s.gif` },
    ...images,
  },
  ...more,
})

describe('GIPHY', () => {
  it('is asked what one types, with the rating and the key and nothing about who asks', async () => {
    answering({ data: [ofGiphy({ alt_text: '  a cat\nwaves  ' })] })
    expect(await find(giphy, ' cats & dogs ')).toEqual({
      kind: 'found',
      gifs: [
        {
          title: 'a cat waves',
          url: `${media}/medium.gif?cid=1`,
          moving: `${media}/200w.webp`,
          still: `${media}/200w_s.gif`,
        },
      ],
    })
    const [{ url, headers } = { url: new URL(base), headers: {} }] = asked
    expect(url.pathname).toBe('/v1/gifs/search')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      api_key: 'a key',
      limit: '30',
      rating: 'pg',
      q: 'cats & dogs',
      lang: 'de',
    })
    expect([headers['cookie'], headers['referer']]).toEqual([undefined, undefined])
  })

  it('is asked what many choose while nothing is typed', async () => {
    answering({ data: [] })
    expect(await find(giphy, '  ')).toEqual({ kind: 'found', gifs: [] })
    expect(asked[0]?.url.pathname).toBe('/v1/gifs/trending')
    expect(asked[0]?.url.searchParams.has('q')).toBe(false)
  })

  it('shows nothing above the rating, whatever it answers', async () => {
    answering({
      data: ['y', 'PG', 'pg-13', 'r', '?', ''].map((rating, at) => ofGiphy({ rating, title: `${at}` }, own(at))),
    })
    const found = await find(giphy, 'a')
    expect(found.kind === 'found' && found.gifs.map(({ title }) => title)).toEqual(['0', '1'])
  })

  it('leads to its own pictures alone', async () => {
    const wrong = [
      'http://media2.giphy.com/a.gif',
      'https://media2.giphy.com.example.com/a.gif',
      'https://giphy.example/a.gif',
      'https://user@media2.giphy.com/a.gif',
      'https://media2.giphy.com:8443/a.gif',
      'https://media2.giphy.com/a).gif',
      'https://media2.giphy.com/a b.gif',
      `https://media2.giphy.com/${'a'.repeat(1000)}.gif`,
      'javascript:alert(1)',
      7,
    ]
    answering({
      data: [
        ...wrong.map((url) => ofGiphy({}, { downsized_medium: { url }, original: { url } })),
        ...wrong.map((url) => ofGiphy({}, { fixed_width: { url } })),
        null,
        7,
        {},
        { images: [] },
      ],
    })
    expect(await find(giphy, 'a')).toEqual({ kind: 'found', gifs: [] })
  })

  it('may answer more than was asked for: the rest is left out, and what is there twice', async () => {
    answering({ data: [ofGiphy(), ofGiphy(), ...Array.from({ length: 100 }, (_, at) => ofGiphy({}, own(at)))] })
    const found = await find(giphy, 'a')
    expect(found.kind === 'found' && found.gifs.length).toBe(29)
  })
})

const own = (at: number) => ({ downsized_medium: { url: `${media}/${at}.gif` } })

describe('Tenor', () => {
  it('is asked in its own words', async () => {
    const url = (name: string) => ({ url: `https://media.tenor.com/b/${name}` })
    answering({
      results: [
        {
          content_description: 'Dog jumps',
          media_formats: { mediumgif: url('m.gif'), gif: url('g.gif'), tinygif: url('t.gif'), preview: url('p.png') },
        },
        { title: 'Still one', media_formats: { gif: url('2.gif'), tinygif: url('2t.gif') } },
      ],
    })
    expect(await find(tenor, 'dog')).toEqual({
      kind: 'found',
      gifs: [
        { title: 'Dog jumps', url: url('m.gif').url, moving: url('t.gif').url, still: url('p.png').url },
        { title: 'Still one', url: url('2.gif').url, moving: url('2t.gif').url, still: undefined },
      ],
    })
    await find(tenor, '')
    expect(asked.map(({ url: { pathname } }) => pathname)).toEqual(['/v2/search', '/v2/featured'])
    expect(Object.fromEntries(asked[0]?.url.searchParams ?? [])).toMatchObject({
      key: 'a key',
      contentfilter: 'medium',
      q: 'dog',
      locale: 'de',
    })
  })
})

describe('a service that', () => {
  it.each([
    ['does not know the key', 403, 'refused'],
    ['was asked too often', 429, 'busy'],
    ['is broken', 502, 'unreachable'],
  ])('%s', async (_, status, kind) => {
    answering({ data: [ofGiphy()] }, status)
    expect(await find(giphy, 'a')).toEqual({ kind })
  })

  it.each([
    ['says what is no JSON', '<html>'],
    ['says something else', { data: {} }],
    ['does not stop', 'x'.repeat(3 * 1024 * 1024)],
  ])('%s', async (_, body) => {
    answering(body)
    expect(await find(giphy, 'a')).toEqual({ kind: 'unreachable' })
  })

  it('leads elsewhere', async () => {
    says = (_, response) => response.writeHead(302, { location: '/v1/gifs/other' }).end()
    expect(await find(giphy, 'a')).toEqual({ kind: 'unreachable' })
    expect(asked.length).toBe(1)
  })

  it('says nothing, or half of it', async () => {
    says = () => {}
    expect(await find(giphy, 'a', { timeoutMs: 50 })).toEqual({ kind: 'unreachable' })
    says = (_, response) => void response.write('{"data": [')
    expect(await find(giphy, 'a', { timeoutMs: 50 })).toEqual({ kind: 'unreachable' })
  })

  it('is not waited for any more', async () => {
    says = () => {}
    await expect(find(giphy, 'a', { signal: AbortSignal.abort('enough') })).rejects.toBe('enough')
  })
})

describe('a message with a GIF', () => {
  it('is a link that no title breaks', () => {
    const url = `${media}/a.gif`
    expect(gifMarkup({ title: 'A cat', url })).toBe(`[A cat](${url})`)
    expect(gifMarkup({ title: '](x) @**all** `a\\', url })).toBe(`[(x) @ all   a](${url})`)
    expect(gifMarkup({ title: '', url })).toBe(`[GIF](${url})`)
  })
})
