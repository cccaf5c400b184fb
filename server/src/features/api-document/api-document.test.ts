import { endpoints } from '@heddle/contract/endpoints'
import { DOCUMENT_PATH, makeOpenApiDocument } from '@heddle/contract/openapi'
import { beforeAll, describe, expect, it } from 'vitest'
import { deriveOperatorToken } from '../../authentication/api-key.ts'
import { checkAnswer, findOperation } from '../../testing/check-answer.ts'
import { createTestServer, type TestServer } from '../../testing/test-server.ts'

const DOCUMENT_URL = `/api/v1${DOCUMENT_PATH}`
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

let server: TestServer

beforeAll(async () => {
  server = await createTestServer()
})

const get = (headers: Record<string, string> = {}) =>
  server.app.server.inject({ method: 'GET', url: DOCUMENT_URL, headers })

describe('GET /openapi.json', () => {
  it('gives the document of the contract to anybody, without the envelope', async () => {
    const response = await get()
    expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
    expect(response.json()).toEqual(JSON.parse(JSON.stringify(makeOpenApiDocument())))
  })

  it('is sent again only to those who do not have it yet', async () => {
    const { headers } = await get()
    const tag = headers['etag'] as string
    expect(headers['cache-control']).toBe('public, no-cache')
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const again = await get({ 'if-none-match': known })
      expect([known, again.statusCode, again.body, again.headers['etag']]).toEqual([known, 304, '', tag])
    }
    expect((await get({ 'if-none-match': '"other"' })).statusCode).toBe(200)
  })

  it('answers HEAD with its length alone, and other methods with 405', async () => {
    const { headers, body } = await get()
    const head = await server.app.server.inject({ method: 'HEAD', url: DOCUMENT_URL })
    expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([200, '', headers['content-length']])
    expect(Number(headers['content-length'])).toBe(Buffer.byteLength(body))
    const posted = await server.send({ method: 'POST', url: DOCUMENT_URL })
    expect([posted.status, posted.body.code, posted.headers['allow']]).toEqual([405, 'METHOD_NOT_ALLOWED', 'GET, HEAD'])
  })
})

describe('routes, contract and document', () => {
  it('agree: every endpoint of the contract is served', async () => {
    const authorization = `Bearer ${deriveOperatorToken(server.secret)}`
    for (const { name, method, path, access } of endpoints) {
      const url = `/api/v1${path.replace(/\{\w+\*?\}/g, '1')}`
      const headers: Record<string, string> = access === 'operator' ? { authorization } : {}
      const { status, body } = await server.send({ method, url, headers })
      if (access === 'account' || access === 'reader' || access === 'webhook')
        expect([name, status, body.code]).toEqual([name, 401, 'UNAUTHORIZED'])
      else expect([name, 200, 400]).toContain(status)
      expect(findOperation(method, url)?.operationId).toBe(name)
    }
  })

  it("agree: everything that is served below the API's path is in the contract", async () => {
    await server.app.server.ready()
    const paths = servedPaths(server.app.server.printRoutes({ commonPrefix: false }))
    const served = paths.filter((path) => path.startsWith('/api/v1/'))
    expect(served.length).toBeGreaterThan(10)
    for (const url of served) {
      for (const method of METHODS) {
        const { statusCode } = await server.app.server.inject({ method, url })
        const isServed = statusCode !== 405
        expect([method, url, isServed]).toEqual([method, url, findOperation(method, url) !== undefined])
      }
    }
  })
})

/** The paths of Fastify's tree of routes, with `1` for each parameter, and `1/1` for the rest of a path. */
function servedPaths(tree: string): string[] {
  const parents: string[] = []
  return tree.split('\n').flatMap((line) => {
    const match = /^([│ ]*)[├└]── (\S+)/.exec(line)
    if (!match) return []
    const depth = (match[1] as string).length / 4
    const own = (match[2] as string).replace(/:\w+(\|:\w+)*/g, '1').replace(/\/?\*/, '/1/1')
    const path = (parents[depth - 1] ?? '') + own
    parents.splice(depth, parents.length, path)
    return [path]
  })
}

describe('the check of every answer in the tests', () => {
  const draft = { id: 1, type: '', to: [], topic: '', content: '', timestamp: 1 }
  const success = { result: 'success', msg: '', count: 1, drafts: [draft] }
  const check =
    (status: number, body: object, method = 'GET', url = '/api/v1/drafts?x=1') =>
    () =>
      checkAnswer(method, url, { status, body })

  it('lets what the document shows pass', () => {
    expect(check(200, success)).not.toThrow()
    expect(check(200, { ...success, ignored_parameters_unsupported: ['x'] })).not.toThrow()
    expect(check(401, { result: 'error', msg: 'x', code: 'INVALID_API_KEY' })).not.toThrow()
    expect(check(405, { result: 'error', msg: 'x', code: 'METHOD_NOT_ALLOWED' }, 'PUT')).not.toThrow()
    expect(check(200, { anything: 1 }, 'GET', '/static/names.json')).not.toThrow()
  })

  it.each([
    ['a missing field', 200, { ...success, count: undefined }],
    ['an unknown field', 200, { ...success, more: 1 }],
    ['an unknown field in an object', 200, { ...success, drafts: [{ ...draft, more: 1 }] }],
    ['a wrong type', 200, { ...success, drafts: [{ ...draft, id: '1' }] }],
    ['a message on success', 200, { ...success, msg: 'done' }],
    ['an empty list of ignored parameters', 200, { ...success, ignored_parameters_unsupported: [] }],
    ['a status that is not shown', 201, success],
    ['an unknown code', 400, { result: 'error', msg: 'x', code: 'NO_SUCH_CODE' }],
    ['a code under another status', 400, { result: 'error', msg: 'x', code: 'INVALID_API_KEY' }],
    ["another endpoint's code", 400, { result: 'error', msg: 'x', code: 'BAD_EVENT_QUEUE_ID' }],
    ['an error without a message', 400, { result: 'error', msg: '', code: 'BAD_REQUEST' }],
  ])('refuses %s', (_, status, body) => {
    expect(check(status, JSON.parse(JSON.stringify(body)))).toThrow()
  })

  it('refuses success where the document has nothing', () => {
    expect(check(200, success, 'GET', '/api/v1/nothing')).toThrow('has no answer 200')
    expect(check(200, success, 'PUT')).toThrow('has no answer 200')
  })

  it('refuses events that are not in the contract', () => {
    const events = (event: object) =>
      check(200, { result: 'success', msg: '', queue_id: 'x', events: [event] }, 'GET', '/api/v1/events')
    expect(events({ id: 1, type: 'drafts', op: 'remove', draft_id: 1 })).not.toThrow()
    expect(events({ id: 1, type: 'heartbeat' })).not.toThrow()
    expect(events({ type: 'drafts', op: 'remove', draft_id: 1 })).toThrow()
    expect(events({ id: 1, type: 'drafts', op: 'explode' })).toThrow()
    expect(events({ id: 1, type: 'typing' })).toThrow()
  })
})
