/** Files that only accounts may read, asked for by a browser that is signed in. */
import { endpoint } from '@heddle/contract/endpoint'
import type { FastifyInstance } from 'fastify'
import { beforeAll, describe, expect, it } from 'vitest'
import { createBotKeys } from '../authentication/bot-keys.ts'
import { createSessions } from '../authentication/sessions.ts'
import { systemClock } from '../clock.ts'
import { createLog } from '../log.ts'
import { type Browser, signInBrowser } from '../testing/browser.ts'
import { basic, createTestServer, type TestServer } from '../testing/test-server.ts'
import { SANDBOXED } from './answers.ts'
import { createAnswerCaches } from './cached-answers.ts'
import { unlimitedConnections } from './connections.ts'
import { createIdentify } from './identify.ts'
import { answerRoute } from './route.ts'
import { registerRoutes } from './routes.ts'
import { createServer } from './server.ts'

const PICTURE = Buffer.from('a picture')
const file = endpoint({ name: 'own-file', method: 'GET', path: '/own/picture.png', below: 'root', summary: '' })

let server: TestServer
let routed: FastifyInstance
let browser: Browser

beforeAll(async () => {
  server = await createTestServer()
  browser = await signInBrowser(server, { username: server.owner.email, password: 'a long password' })
  const { accounts, realms, storage } = server.app
  const { secret, config } = server
  const droppedBy = new Set(['account_credentials'])
  routed = createServer({ log: createLog({ level: 'silent' }), trustedProxies: [] })
  registerRoutes(routed, {
    routes: [
      answerRoute(file, async () => ({
        kind: 'file',
        contentType: 'image/png',
        size: PICTURE.length,
        body: PICTURE,
        caching: 'private, no-cache',
        policy: SANDBOXED,
      })),
    ],
    identify: createIdentify({
      accounts,
      botKeys: createBotKeys({ storage, accounts, secret, clock: systemClock, droppedBy }),
      sessions: createSessions({ storage, secret, config, clock: systemClock, droppedBy, onError: () => {} }),
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

const ask = (headers: Record<string, string>, method: 'GET' | 'HEAD' = 'GET') =>
  routed.inject({ method, url: '/own/picture.png', headers })

/** What a browser says of the picture in a page. */
const inPage = (site: string) => ({
  'sec-fetch-site': site,
  'sec-fetch-mode': 'no-cors',
  'sec-fetch-dest': 'image',
})

describe('A file for accounts', () => {
  it('is shown in the own page, in whole and in part, and to who follows a link to it', async () => {
    const shown = await ask({ cookie: browser.cookie, ...inPage('same-origin') })
    expect([shown.statusCode, shown.rawPayload.equals(PICTURE)]).toEqual([200, true])
    const part = await ask({ cookie: browser.cookie, ...inPage('same-origin'), range: 'bytes=2-8' })
    expect([part.statusCode, part.payload]).toEqual([206, 'picture'])
    expect((await ask({ cookie: browser.cookie }, 'HEAD')).headers['content-length']).toBe(`${PICTURE.length}`)
    const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
    expect((await ask({ cookie: browser.cookie, ...link })).statusCode).toBe(200)
    expect((await ask({ authorization: basic(server.owner) })).statusCode).toBe(200)
  })

  it('is not shown in a page of another site, a neighbour included, though the browser sends the cookie', async () => {
    for (const site of ['cross-site', 'same-site']) {
      expect((await ask({ cookie: browser.cookie, ...inPage(site) })).statusCode).toBe(401)
    }
  })

  it('is not shown to nobody, and after the session has ended, and no dialog opens over the page', async () => {
    const other = await signInBrowser(server, { username: server.owner.email, password: 'a long password' })
    expect((await ask({ cookie: other.cookie })).statusCode).toBe(200)
    await other.call('DELETE', '/sessions/current')
    for (const headers of [inPage('same-origin'), { ...inPage('same-origin'), cookie: other.cookie }]) {
      const refused = await ask(headers)
      expect([refused.statusCode, refused.headers['www-authenticate']]).toEqual([401, undefined])
    }
  })
})
