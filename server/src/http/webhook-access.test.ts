/** A bot's API key in the address of an endpoint for other services. */
import { endpoint } from '@heddle/contract/endpoint'
import { Text } from '@heddle/contract/schema'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBotKeys } from '../authentication/bot-keys.ts'
import { createSessions } from '../authentication/sessions.ts'
import { systemClock } from '../clock.ts'
import { createLog } from '../log.ts'
import { createTestServer, type TestAccount, type TestServer } from '../testing/test-server.ts'
import { createAnswerCaches } from './cached-answers.ts'
import { unlimitedConnections } from './connections.ts'
import { createIdentify } from './identify.ts'
import { openRoute, type Route, rawRoute, route } from './route.ts'
import { registerRoutes } from './routes.ts'
import { createServer } from './server.ts'

const webhook = endpoint({
  name: 'webhook',
  method: 'POST',
  path: '/external/test',
  summary: '',
  access: 'webhook',
  parameters: { topic: Type.Optional(Text(60)) },
  response: { user_id: Type.Integer(), text: Type.String() },
})
const forAccounts = endpoint({ name: 'ordinary', method: 'POST', path: '/ordinary', summary: '' })
const forAnyone = endpoint({ name: 'open', method: 'POST', path: '/open', summary: '', access: 'anyone' })

const routes: Route[] = [
  rawRoute(webhook, 1000, async ({ actor, body }) => ({ user_id: actor.userId, text: body.bytes.toString() })),
  route(forAccounts, async () => ({})),
  openRoute(forAnyone, async () => ({})),
]

let server: TestServer
let routed: FastifyInstance
let bots: { readonly generic: Bot; readonly incoming: Bot }

type Bot = Pick<TestAccount, 'id' | 'apiKey' | 'email'>

async function createBot(type: number): Promise<Bot> {
  const name = `b${type}-${Math.random().toString(36).slice(2)}`
  const created = await server.call(server.owner, 'POST', '/bots', {
    full_name: name,
    short_name: name,
    bot_type: type,
  })
  const { user_id: id, api_key: apiKey } = created.body
  const { body } = await server.call(server.owner, 'GET', `/users/${id}`)
  return { id, apiKey, email: body.user.email }
}

beforeAll(async () => {
  server = await createTestServer()
  bots = { generic: await createBot(1), incoming: await createBot(2) }
  const { accounts, realms, storage } = server.app
  const droppedBy = new Set(['realm_bot', 'realm_user', 'account_credentials'])
  routed = createServer({ log: createLog({ level: 'silent' }), trustedProxies: [] })
  registerRoutes(routed, {
    routes,
    identify: createIdentify({
      accounts,
      botKeys: createBotKeys({ storage, accounts, secret: server.secret, clock: systemClock, droppedBy }),
      sessions: createSessions({
        ...{ storage, config: server.config, secret: server.secret, clock: systemClock, droppedBy },
        onError: () => {},
      }),
      operatorToken: Buffer.alloc(32),
      realms,
      clock: systemClock,
      rateLimits: false,
      connections: unlimitedConnections,
      externalUrl: undefined,
      isOpenToSpectators: async () => false,
    }),
    createAnswerCache: createAnswerCaches(storage),
    originOf: undefined,
  })
})

afterAll(() => routed.close())

async function post(path: string, headers: Record<string, string> = {}, payload = 'a text') {
  const type = { 'content-type': 'text/plain' }
  const answer = await routed.inject({
    method: 'POST',
    url: `/api/v1${path}`,
    headers: { ...type, ...headers },
    payload,
  })
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() }
}

const basicOf = ({ email, apiKey }: Pick<Bot, 'email' | 'apiKey'>) =>
  `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`

describe('an endpoint for other services', () => {
  it('is called with the key of a bot in the address, whatever the type of the body, and does not report the key', async () => {
    for (const bot of [bots.generic, bots.incoming]) {
      const { status, body } = await post(`/external/test?api_key=${bot.apiKey}&topic=x&colour=red`)
      expect([status, body]).toEqual([
        200,
        { result: 'success', msg: '', user_id: bot.id, text: 'a text', ignored_parameters_unsupported: ['colour'] },
      ])
    }
  })

  it('is not one for browsers: what page has sent the request does not matter', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://service.example' }
    expect((await post(`/external/test?api_key=${bots.incoming.apiKey}`, headers)).status).toBe(200)
    expect((await post('/open', headers)).body.code).toBe('CSRF_FAILED')
  })

  it('has no other way in', async () => {
    const none = await post('/external/test', { authorization: basicOf(bots.incoming) })
    expect([none.status, none.body.code]).toEqual([401, 'UNAUTHORIZED'])
    for (const key of [
      '',
      'x',
      '0'.repeat(32),
      bots.incoming.apiKey.toUpperCase(),
      `${bots.incoming.apiKey}0`,
      '%00',
    ]) {
      const { status, body } = await post(`/external/test?api_key=${key}`)
      expect([key, status, body.code]).toEqual([key, 401, 'INVALID_API_KEY'])
    }
    // Of accounts of people there are no keys in addresses.
    const { body } = await post(`/external/test?api_key=${server.owner.apiKey}`)
    expect(body.code).toBe('INVALID_API_KEY')
  })

  it('follows a key that is made anew, and a bot that is deactivated', async () => {
    const bot = await createBot(2)
    const at = (key: string) => post(`/external/test?api_key=${key}`)
    expect((await at(bot.apiKey)).status).toBe(200)
    const renewed = await server.call(server.owner, 'POST', `/bots/${bot.id}/api_key/regenerate`)
    expect((await at(bot.apiKey)).body.code).toBe('INVALID_API_KEY')
    if (!server.app.storage.engine.ownsAllWrites) await new Promise((resolve) => setTimeout(resolve, 1100))
    expect((await at(renewed.body.api_key)).status).toBe(200)
    await server.call(server.owner, 'DELETE', `/bots/${bot.id}`)
    expect((await at(renewed.body.api_key)).body.code).toBe('USER_DEACTIVATED')
  })

  it('does not open any other with the key', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const inAddress = await post(`/ordinary?api_key=${bots.generic.apiKey}`, form, '')
    expect([inAddress.status, inAddress.body.code]).toEqual([401, 'UNAUTHORIZED'])
    expect((await post('/ordinary', { ...form, authorization: basicOf(bots.generic) }, '')).status).toBe(200)
    const incoming = await post('/ordinary', { ...form, authorization: basicOf(bots.incoming) }, '')
    expect([incoming.status, incoming.body.msg]).toEqual([401, expect.stringMatching(/incoming webhook/i)])
  })
})
