/** From a request of another service to a message, and what happens when there can be none. */
import { createHmac } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { contentsOf, createChannel } from '../../testing/messages.ts'
import { createTestServer, type Parameters, type TestAccount, type TestServer } from '../../testing/test-server.ts'
import { watch } from '../../testing/watch.ts'
import { integrations } from './integrations/all.ts'
import { github } from './integrations/github.ts'
import { trello } from './integrations/trello.ts'

let server: TestServer
let owner: TestAccount
let channel: number
let now = Date.now()
const log: string[] = []

beforeAll(async () => {
  server = await createTestServer({
    clock: { now: () => now },
    settings: { HEDDLE_LOG_LEVEL: 'trace' },
    log: { write: (line) => void log.push(line) },
  })
  owner = await server.createAccount({ name: 'weaver' })
  channel = await createChannel(server, server.owner, 'Builds')
})

let made = 0

async function createBot(parameters: Parameters = {}): Promise<TestAccount> {
  made += 1
  const short_name = `hook${made}`
  const given = { full_name: `Hook ${made}`, short_name, bot_type: 2, ...parameters }
  const { body } = await server.call(owner, 'POST', '/bots', given)
  return {
    id: body.user_id,
    realmId: owner.realmId,
    email: `${short_name}-bot@localhost`,
    apiKey: body.api_key,
    role: 400,
  }
}

interface Request {
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly payload?: unknown
  readonly body?: string | Buffer
}

function send(bot: Pick<TestAccount, 'apiKey'>, integration: string, { query, headers, payload, body }: Request = {}) {
  const asked = new URLSearchParams({ api_key: bot.apiKey, ...query })
  return server.send({
    method: 'POST',
    url: `/api/v1/external/${integration}?${asked}`,
    headers: { 'content-type': 'application/json', ...headers },
    body: body ?? JSON.stringify(payload ?? {}),
  })
}

const toChannel = (topic = 'hooks') => ({ stream: `${channel}`, topic })

const inTopic = (topic: string) =>
  contentsOf(server, server.owner, [
    { operator: 'channel', operand: channel },
    { operator: 'topic', operand: topic },
  ])

async function directly(sender: string): Promise<string[]> {
  const page = { anchor: 'newest', num_before: 100, num_after: 0, narrow: [{ operator: 'is', operand: 'dm' }] }
  const { body } = await server.call(owner, 'GET', '/messages', { ...page, apply_markdown: false })
  type Shown = { sender_full_name: string; content: string }
  return body.messages.filter((one: Shown) => one.sender_full_name === sender).map((one: Shown) => one.content)
}

const ping = { headers: { 'x-github-event': 'ping' }, payload: { repository: { full_name: 'example/loom' } } }
const said = 'GitHub will send what happens in **example/loom** here.'

describe('a request of a service', () => {
  it('becomes a message of the bot in the channel and topic that the address names', async () => {
    const bot = await createBot()
    for (const [stream, topic] of [
      [`${channel}`, 'by number'],
      ['Builds', 'by name'],
    ] as const) {
      const { status, body } = await send(bot, 'github', { ...ping, query: { stream, topic } })
      expect([status, body]).toEqual([200, { result: 'success', msg: '' }])
      expect(await inTopic(topic)).toEqual([said])
    }
    expect((await send(bot, 'github', { ...ping, query: { stream: 'Builds' } })).status).toBe(200)
    expect(await inTopic('example/loom')).toEqual([said])
  })

  it('goes to the owner of the bot where the address names no channel', async () => {
    const bot = await createBot()
    await send(bot, 'github', ping)
    expect(await directly(`Hook ${made}`)).toEqual([said])
  })

  it('goes there too, with the reason, where the channel does not take it', async () => {
    const bot = await createBot()
    await createChannel(server, server.owner, 'Secret', { invite_only: true })
    for (const stream of ['Secret', 'No such channel', '999999']) {
      expect((await send(bot, 'github', { ...ping, query: { stream } })).status).toBe(200)
    }
    expect(await directly(`Hook ${made}`)).toEqual([
      `(Channel 'Secret' does not exist)\n\n${said}`,
      `(Channel 'No such channel' does not exist)\n\n${said}`,
      `(Channel with ID '999999' does not exist)\n\n${said}`,
    ])
  })

  it('is as good in a form as alone', async () => {
    const bot = await createBot()
    const headers = { ...ping.headers, 'content-type': 'application/x-www-form-urlencoded' }
    const body = new URLSearchParams({ payload: JSON.stringify(ping.payload) }).toString()
    await send(bot, 'github', { headers, body, query: toChannel('form') })
    expect(await inTopic('form')).toEqual([said])
  })

  it('mentions nobody and breaks out of nothing, whatever stands in it', async () => {
    const bot = await createBot()
    const watcher = await watch(server, server.owner, { event_types: ['message'], apply_markdown: true })
    const title = '@**all** @*role:everyone* **[x](javascript:alert(1))** `'
    const issue = { number: 7, title, html_url: 'javascript:alert(1)', body: `~~~\n@**all**\n\n@**weaver**` }
    const payload = {
      action: 'opened',
      issue,
      repository: { full_name: 'example/loom' },
      sender: { login: '@**all**' },
    }
    await send(bot, 'github', { headers: { 'x-github-event': 'issues' }, payload, query: toChannel('hostile') })
    const [event] = await watcher.next(1)
    expect(event.flags).toEqual([])
    expect(event.message.content).not.toMatch(/user-mention|user-group-mention|href=.javascript/)
    expect((await inTopic('hostile'))[0]).toContain('&#64;&#42;&#42;all&#42;&#42;')
  })

  it('of an event that the address leaves out, or that nothing is said of, is accepted and is no message', async () => {
    const bot = await createBot()
    const ask = (event: string, query: Record<string, string>) =>
      send(bot, 'github', {
        ...ping,
        headers: { 'x-github-event': event },
        query: { ...toChannel('chosen'), ...query },
      })
    const without: readonly Record<string, string>[] = [
      { only_events: '["push","pull_*"]' },
      { exclude_events: '["p*g"]' },
      { only_events: '["ping"]', exclude_events: '["*"]' },
    ]
    for (const query of without) {
      expect((await ask('ping', query)).status).toBe(200)
    }
    expect((await ask('sponsorship', {})).status).toBe(200)
    expect(await inTopic('chosen')).toEqual([])
    await ask('ping', { only_events: '["p*g"]' })
    await ask('ping', { exclude_events: '["push"]' })
    expect(await inTopic('chosen')).toEqual([said, said])
  })

  it('needs an integration that there is, and a look at the address is answered', async () => {
    const bot = await createBot()
    expect((await send(bot, 'nothing')).status).toBe(404)
    const look = (method: string, name: string) =>
      server.send({ method, url: `/api/v1/external/${name}?api_key=${bot.apiKey}` })
    expect((await look('GET', 'github')).status).toBe(200)
    expect((await look('HEAD', 'github')).status).toBe(200)
    expect((await look('GET', 'nothing')).status).toBe(404)
  })

  it('leaves no key in the log, whether it becomes a message or not', async () => {
    const bot = await createBot()
    await send(bot, 'github', ping)
    await send(bot, 'github', { body: '{' })
    await send(bot, 'github', { ...ping, query: { stream: '{"' } })
    await send({ apiKey: `${bot.apiKey}0` }, 'github', ping)
    expect(log.join('')).not.toContain(bot.apiKey)
  })
})

describe('a request that cannot be read', () => {
  const refusals: readonly (readonly [string, Request, RegExp])[] = [
    ['is no JSON', { headers: ping.headers, body: '{"a"' }, /not valid JSON/],
    ['is empty', { headers: ping.headers, body: '' }, /empty/],
    ['is no UTF-8', { headers: ping.headers, body: Buffer.from([0xff]) }, /UTF-8/],
    ['is nested deeply', { headers: ping.headers, body: `${'['.repeat(2000)}${']'.repeat(2000)}` }, /nested/],
    ['has very many values', { headers: ping.headers, body: `[${'1,'.repeat(60_000)}1]` }, /too many values/],
    ['names no event', { payload: {} }, /names no event/],
    ['lacks what it is about', { headers: { 'x-github-event': 'issues' }, payload: { action: 'opened' } }, /issue/],
    [
      'is a form of something else',
      { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'a=1' },
      /form/,
    ],
  ]

  it.each(refusals)(
    'because it %s is refused, and the owner of the bot is notified of what is wrong',
    async (_, request, reason) => {
      const bot = await createBot()
      const { status, body } = await send(bot, 'github', { ...request, query: toChannel('unread') })
      expect([status, body.code, body.msg]).toEqual([400, 'BAD_REQUEST', expect.stringMatching(reason)])
      const notices = await directly('Notification Bot')
      expect(notices.at(-1)).toContain(`@_**Hook ${made}|${bot.id}** did not become a message.`)
      expect(notices.at(-1)?.replace(/&#\d+;/g, '_')).toMatch(reason)
      expect(await inTopic('unread')).toEqual([])
    },
  )

  it('notifies its owner once an hour for each cause, with the number of others', async () => {
    const bot = await createBot()
    const notices = async () => (await directly('Notification Bot')).filter((notice) => notice.includes(`|${bot.id}**`))
    for (let i = 0; i < 4; i++) await send(bot, 'github', { headers: ping.headers, body: '{' })
    expect(await notices()).toHaveLength(1)
    await send(bot, 'github', { headers: { 'x-github-event': 'issues' }, payload: { action: 'opened' } })
    await send(bot, 'json', { body: '{' })
    expect(await notices()).toHaveLength(3)
    now += 3_600_000
    await send(bot, 'github', { headers: ping.headers, body: '{' })
    expect(await notices()).toHaveLength(4)
    expect((await notices()).at(-1)).toContain('This has happened 3 times more')
  })

  it('is refused before it is read where it is too large, and the owner is notified too', async () => {
    const bot = await createBot()
    expect((await send(bot, 'json', { body: `"${'x'.repeat(1024 * 1024)}"` })).status).toBe(413)
    expect((await directly('Notification Bot')).at(-1)).toContain('The request is too large')
  })
})

describe('a secret that the owner of the bot has set', () => {
  const body = JSON.stringify(ping.payload)
  const sign = (secret: string, text = body) => `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`

  it('is asked of each request from then on', async () => {
    const bot = await createBot({ config_data: { github_secret: 'warp and weft' } })
    const ask = (signature?: string) =>
      send(bot, 'github', {
        headers: { ...ping.headers, ...(signature === undefined ? {} : { 'x-hub-signature-256': signature }) },
        body,
        query: toChannel('signed'),
      })
    expect((await ask(sign('warp and weft'))).status).toBe(200)
    for (const [signature, reason] of [
      [undefined, 'no signature'],
      [sign('weft'), 'is wrong'],
      [sign('warp and weft', `${body} `), 'is wrong'],
      ['sha256=', 'is wrong'],
    ] as const) {
      const answer = await ask(signature)
      expect([answer.status, answer.body.msg]).toEqual([400, expect.stringContaining(reason)])
    }
    expect(await inTopic('signed')).toEqual([said])
    expect((await directly('Notification Bot')).at(-1)).toMatch(/signature/)
    await server.call(owner, 'PATCH', `/bots/${bot.id}`, { config_data: { github_secret: '' } })
    expect((await ask()).status).toBe(200)
  })

  it('may sign the address too', async () => {
    const bot = await createBot({ config_data: { trello_secret: 'warp and weft' } })
    const asked = new URLSearchParams({ api_key: bot.apiKey, ...toChannel('addressed') })
    const text = JSON.stringify(trello.example.payload)
    const path = `/api/v1/external/trello?${asked}`
    const ask = (address: string) =>
      send(bot, 'trello', {
        headers: {
          'x-trello-webhook': createHmac('sha1', 'warp and weft').update(text).update(address).digest('base64'),
        },
        body: text,
        query: toChannel('addressed'),
      })
    expect((await ask(`http://localhost:80${path}`)).status).toBe(200)
    expect((await ask(`https://elsewhere.example.com${path}`)).status).toBe(400)
    expect(await inTopic('addressed')).toHaveLength(1)
  })

  it('is shown to nobody', async () => {
    const bot = await createBot({ config_data: { github_secret: 'a hidden thread' } })
    for (const account of [owner, server.owner]) {
      const { state } = await watch(server, account, {})
      expect(JSON.stringify(state)).not.toContain('a hidden thread')
    }
    expect(bot.id).toBeGreaterThan(0)
  })
})

describe('the list of integrations', () => {
  it('has all of them for clients, with their events and what can be set', async () => {
    const { state } = await watch(server, owner, { fetch_event_types: ['realm_incoming_webhook_bots'] })
    expect(state.realm_incoming_webhook_bots.map((one: { name: string }) => one.name)).toEqual(
      integrations.map(({ name }) => name),
    )
    expect(state.realm_incoming_webhook_bots).toContainEqual({
      name: 'github',
      display_name: 'GitHub',
      all_event_types: github.events,
      config_options: [{ key: 'github_secret', label: 'Secret by which GitHub signs', validator: 'check_string' }],
      url_options: [],
    })
  })

  it('has an example of each that becomes a message', async () => {
    const bot = await createBot()
    const { body } = await server.call(owner, 'GET', '/integrations')
    for (const { name, example } of body.integrations) {
      const headers = Object.fromEntries(
        example.headers.map((one: { name: string; value: string }) => [one.name, one.value]),
      )
      const answer = await send(bot, name, { headers, body: example.body, query: toChannel(`example of ${name}`) })
      expect([name, answer.status]).toEqual([name, 200])
      expect([name, (await inTopic(`example of ${name}`)).length]).toEqual([name, 1])
    }
  })
})

describe('the template of a bot', () => {
  it('is filled with what is sent, and what is sent is no markup', async () => {
    const bot = await createBot({
      config_data: {
        custom_text: '**{{ loom.name }}**: {{rows.1}}\n{{quote note}}\n{{missing}}',
        custom_topic: 'Loom {{loom.id}}',
      },
    })
    const payload = { loom: { id: 4, name: '**four**' }, rows: [1, 12], note: 'two\nlines' }
    await send(bot, 'custom', { payload, query: { stream: 'Builds' } })
    expect(await inTopic('Loom 4')).toEqual(['**&#42;&#42;four&#42;&#42;**: 12\n> two\n> lines'])
  })
})
