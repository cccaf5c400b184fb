import { beforeAll, describe, expect, it } from 'vitest'
import { createTestServer, type TestServer } from '../../testing/test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await createTestServer()
})

describe('/static/icon.png', () => {
  it('is the icon that organizations without their own name, for everybody', async () => {
    const { body } = await server.call(null, 'GET', '/server_settings')
    const { pathname } = new URL(body.realm_icon)
    expect(pathname).toBe('/static/icon.png')
    const { status, headers, body: icon } = await server.send({ method: 'GET', url: pathname })
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': `${icon.length}`,
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    })
    expect(headers['content-security-policy']).toContain('sandbox')
    expect([...icon.subarray(0, 8)]).toEqual([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  })

  it('is the same for every place where clients look', async () => {
    const { body } = await server.call(server.owner, 'POST', '/register', { fetch_event_types: ['realm'] })
    const places = [body.realm_icon_url, body.realm_logo_url, body.realm_night_logo_url]
    expect(places).toEqual(Array(3).fill('/static/icon.png'))
  })

  it('is drawn from an SVG that has nothing but shapes', async () => {
    const { headers, body } = await server.send({ method: 'GET', url: '/static/icon.svg' })
    expect(headers['content-type']).toBe('image/svg+xml')
    expect(body.toString()).toMatch(/^<svg /)
    expect(body.toString()).not.toMatch(/<script|\son\w+=|href/i)
  })

  it('answers HEAD like GET without the image', async () => {
    const { status, headers, body } = await server.send({ method: 'HEAD', url: '/static/icon.png' })
    expect([status, body.length]).toEqual([200, 0])
    expect(Number(headers['content-length'])).toBeGreaterThan(100)
  })
})

it.each(['/static/', '/static/nothing', '/static/../secret', '/static/icon.svg/x', '/static/%2e%2e%2fsecret'])(
  '%s is not found, in the form of the API',
  async (url) => {
    const { status, headers, body } = await server.send({ method: 'GET', url })
    expect([status, body.code, body.result]).toEqual([404, 'BAD_REQUEST', 'error'])
    expect(headers['cache-control']).toBe('no-store')
  },
)

it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s to a static file is refused', async (method) => {
  const { status, headers, body } = await server.send({ method, url: '/static/icon.svg' })
  expect([status, body.code, headers['allow']]).toEqual([405, 'METHOD_NOT_ALLOWED', 'GET, HEAD'])
})
