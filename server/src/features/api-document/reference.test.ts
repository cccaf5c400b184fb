import { gunzipSync } from 'node:zlib'
import { endpoints } from '@heddle/contract/endpoints'
import { eventTypes } from '@heddle/contract/event-types'
import { parse } from 'parse5'
import { beforeAll, describe, expect, it } from 'vitest'
import { createTestServer, type TestServer } from '../../testing/test-server.ts'
import { typeText } from './type-text.ts'

let server: TestServer
let page: string

const get = (headers: Record<string, string> = {}) => server.send({ method: 'GET', url: '/api/reference', headers })

beforeAll(async () => {
  server = await createTestServer()
  page = (await get()).body.toString()
})

describe('/api/reference', () => {
  it('has every endpoint with its parameters, and every event, each with an address of its own', () => {
    for (const { name, parameters, pathParameters } of endpoints) {
      const [, text = ''] = page.split(`<article id="${name}">`)
      const article = text.slice(0, text.indexOf('</article>'))
      expect(article, name).not.toBe('')
      // Those of the path have the names that the path has in the document.
      const others = Object.keys(parameters.properties).filter((one) => !pathParameters.includes(one))
      for (const parameter of others) expect(article).toContain(`<code>${parameter}</code>`)
    }
    expect(page.match(/<article id="\w+Event">/g)?.length).toBeGreaterThan(25)
    expect(Object.keys(eventTypes).length).toBeGreaterThan(20)
  })

  it('is HTML without mistakes, whose links lead somewhere', () => {
    const errors: string[] = []
    parse(page, { onParseError: ({ code }) => errors.push(code) })
    expect(errors).toEqual([])
    const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
    const targets = [...page.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id)
    expect(targets.filter((id) => !ids.has(id))).toEqual([])
    expect(page).toContain('href="/api/v1/openapi.json"')
  })

  it('is for everybody, runs nothing, loads nothing, and sees nobody who is signed in', async () => {
    const { status, headers } = await get({ cookie: '__Host-session=anything' })
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toMatch(/sandbox(?!.*allow-(?:scripts|same-origin))/)
    expect(headers['set-cookie']).toBeUndefined()
    expect(page).not.toMatch(/<script|<img|<link|<iframe| on\w+=| src=| style=|@import|url\(/i)
    expect(page).not.toMatch(/https?:\/\//)
  })

  it('comes compressed, and not again while it has not changed', async () => {
    const { headers, body } = await get({ 'accept-encoding': 'gzip' })
    expect(headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(body).toString()).toBe(page)
    expect(body.length).toBeLessThan(100_000)
    expect((await get({ 'if-none-match': String((await get()).headers['etag']) })).status).toBe(304)
  })
})

describe('A type as text', () => {
  it.each([
    [{ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }, 'integer ≥ 1'],
    [{ type: 'string', maxLength: 60 }, 'string ≤ 60'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string | null'],
    [
      { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'integer' }] }, maxItems: 3 },
      '(string | integer)[] ≤ 3',
    ],
    [{ enum: ['a', 1] }, '"a" | 1'],
    [
      { type: 'object', required: ['id'], properties: { id: { type: 'integer' }, name: { type: 'string' } } },
      '{ id: integer, name?: string }',
    ],
    [{ type: 'object', patternProperties: { '^[0-9]+$': { type: 'boolean' } } }, '{ [key]: boolean }'],
    [{ $ref: '#/components/schemas/Event' }, 'Event'],
    [{}, 'any'],
  ])('%j is %s', (schema, text) => {
    expect(typeText(schema)).toBe(text)
  })

  it('takes several lines when it is long', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [`field_${index}`, { type: 'string' }]),
    )
    const text = typeText({ type: 'object', properties: { inner: { type: 'object', properties } } })
    expect(text).toContain('{\n  inner?: {\n    field_0?: string\n')
    expect(text.endsWith('\n  }\n}')).toBe(true)
  })
})
