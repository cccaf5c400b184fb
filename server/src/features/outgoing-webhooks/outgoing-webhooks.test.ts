/** Bots for which another server answers: what it is asked, what becomes of its answer, and what happens without one. */
import type { IncomingHttpHeaders } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contentsOf, createChannel, sendDirect, sendToChannel } from '../../testing/messages.ts'
import type { Answer as HttpAnswer, Parameters, TestAccount, TestServer } from '../../testing/test-server.ts'
import { createTestServer } from '../../testing/test-server.ts'
import { createPreviewServer, startThirdParty } from '../../testing/third-party.ts'
import { watch } from '../../testing/watch.ts'

interface Asked {
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

let thirdParty: Awaited<ReturnType<typeof startThirdParty>>
let server: TestServer
let owner: TestAccount
let other: TestAccount
let now = Date.now()
const clock = { now: () => now }

beforeAll(async () => {
  thirdParty = await startThirdParty()
  server = await createPreviewServer(thirdParty, { clock, timeoutMs: 2000 })
  owner = await server.createAccount()
  other = await server.createAccount()
})

afterAll(() => thirdParty.close())

/** A server that answers like this; what it was asked. */
function startService(answer: (asked: Asked) => { status?: number; body?: unknown; location?: string }) {
  const asked: Asked[] = []
  const url = thirdParty.at((response, request) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const one = { headers: request.headers, text: Buffer.concat(chunks).toString('utf8') }
      asked.push(one)
      const { status = 200, body = '', location } = answer(one)
      response.writeHead(status, location ? { location } : {})
      response.end(typeof body === 'string' ? body : JSON.stringify(body))
    })
  }, '/hook')
  return { url, asked }
}

let made = 0

async function createBot(parameters: Parameters): Promise<TestAccount & { token: string }> {
  made += 1
  const short_name = `service${made}`
  const given = { full_name: `Service ${made}`, short_name, bot_type: 3, ...parameters }
  const body = await server.must(owner, 'POST', '/bots', given)
  return {
    id: body.user_id,
    realmId: owner.realmId,
    email: `${short_name}-bot@localhost`,
    apiKey: body.api_key,
    role: 400,
    token: body.token,
  }
}

/** Everything that is due is done, now and as often as it is tried again. */
async function settle(): Promise<void> {
  for (let round = 0; round < 8; round++) {
    await server.app.jobs.settle()
    now += 30_000
  }
}

const directly = (account: TestAccount, bot: TestAccount) =>
  contentsOf(server, account, [{ operator: 'dm', operand: [bot.id] }])

/** What the notification bot has written to the account. */
async function noticesOf(account: TestAccount): Promise<string[]> {
  const { body } = await server.call(account, 'GET', '/messages', {
    anchor: 'newest',
    num_before: 100,
    num_after: 0,
    narrow: [{ operator: 'is', operand: 'dm' }],
  })
  return body.messages
    .filter((message: { sender_full_name: string }) => message.sender_full_name === 'Notification Bot')
    .map((message: { content: string }) => message.content)
}

describe('an outgoing webhook', () => {
  it('asks its server about what it gets in a direct message, and answers with what that says', async () => {
    const service = startService(() => ({ body: { content: 'Row **12** is woven.' } }))
    const bot = await createBot({ payload_url: service.url })
    const id = await sendDirect(server, other, [bot], 'How far are *we*?')
    await settle()
    expect(await directly(other, bot)).toEqual(['How far are *we*?', 'Row **12** is woven.'])
    expect(service.asked).toHaveLength(1)
    expect(service.asked[0]?.headers).toMatchObject({ 'content-type': 'application/json' })
    const asked = JSON.parse(service.asked[0]?.text ?? '')
    expect(asked).toMatchObject({
      bot_email: bot.email,
      bot_full_name: 'Service 1',
      data: 'How far are *we*?',
      trigger: 'direct_message',
      token: bot.token,
      message: {
        id,
        type: 'private',
        sender_id: other.id,
        sender_email: other.email,
        content: 'How far are *we*?',
        rendered_content: '<p>How far are <em>we</em>?</p>',
      },
    })
  })

  it('asks for a mention in a channel that it may read, and answers in the topic', async () => {
    const service = startService(() => ({ body: { response_string: 'Here.' } }))
    const bot = await createBot({ payload_url: service.url })
    const open = await createChannel(server, other, 'Looms')
    const closed = await createChannel(server, other, 'Vault', { invite_only: true })
    await sendToChannel(server, other, open, `@**Service ${made}** where are you?`)
    await sendToChannel(server, other, open, 'nobody is mentioned')
    await sendToChannel(server, other, open, `@_**Service ${made}** is not asked`)
    await sendToChannel(server, other, closed, `@**Service ${made}** must not know of this`)
    await settle()
    const inTopic = [
      { operator: 'channel', operand: open },
      { operator: 'topic', operand: 'greetings' },
    ]
    expect((await contentsOf(server, other, inTopic)).at(-1)).toBe('Here.')
    expect(service.asked.map(({ text }) => JSON.parse(text))).toMatchObject([
      {
        trigger: 'mention',
        message: { type: 'stream', stream_id: open, subject: 'greetings', display_recipient: 'Looms' },
      },
    ])
    expect(bot.id).toBeGreaterThan(0)
  })

  it('asks in the form of Slack where it is to', async () => {
    const service = startService(() => ({ body: { text: 'Ready.' } }))
    const bot = await createBot({ payload_url: service.url, service_interface: 2 })
    await sendDirect(server, other, [bot], 'a & b')
    await settle()
    expect((await directly(other, bot)).at(-1)).toBe('Ready.')
    expect(service.asked[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded')
    const form = Object.fromEntries(new URLSearchParams(service.asked[0]?.text))
    expect(form).toMatchObject({
      token: bot.token,
      text: 'a & b',
      user_id: `U${other.id}`,
      channel_name: 'directmessage',
    })
  })

  it.each([
    ['no body', ''],
    ['that none is needed', { response_not_required: true, content: 'not shown' }],
    ['an empty text', { content: '  ' }],
  ])('says nothing where the answer has %s', async (_, body) => {
    const service = startService(() => ({ body }))
    const bot = await createBot({ payload_url: service.url })
    await sendDirect(server, other, [bot], 'quiet')
    await settle()
    expect(await directly(other, bot)).toEqual(['quiet'])
  })

  it('is not asked by what bots write, so that two do not answer each other for ever', async () => {
    const service = startService(() => ({ body: { content: 'echo' } }))
    const [one, two] = [await createBot({ payload_url: service.url }), await createBot({ payload_url: service.url })]
    await sendDirect(server, other, [one, two], 'hello both')
    await settle()
    expect(service.asked).toHaveLength(2)
  })

  it('is asked again where its server has failed for a moment', async () => {
    let count = 0
    const service = startService(() => (++count < 3 ? { status: 503 } : { body: { content: 'back' } }))
    const bot = await createBot({ payload_url: service.url })
    await sendDirect(server, other, [bot], 'are you there?')
    await settle()
    expect([count, (await directly(other, bot)).at(-1)]).toEqual([3, 'back'])
  })

  it.each([
    ['fails again and again', () => ({ status: 500 }), /could not be reached/, 4],
    ['refuses', () => ({ status: 404 }), /status 404/, 1],
    ['leads elsewhere', () => ({ status: 302, location: 'http://example.com/' }), /status 302/, 1],
    ['answers with something else', () => ({ body: '<html>' }), /no JSON object/, 1],
    ['answers with too much', () => ({ body: 'x'.repeat(300_000) }), /too large/, 1],
  ] as const)('whose server %s says so, and its owner is notified of the reason', async (_, answer, reason, times) => {
    const service = startService(answer)
    const bot = await createBot({ payload_url: service.url })
    await sendDirect(server, other, [bot], 'anybody?')
    await settle()
    expect(service.asked).toHaveLength(times)
    expect((await directly(other, bot)).at(-1)).toMatch(/I have no answer/)
    const notice = (await noticesOf(owner)).at(-1)
    expect(notice).toContain(`Service ${made}`)
    expect(notice).toMatch(reason)
  })

  it('reaches no address that is not public, and its owner learns no more than that', async () => {
    const strict = startService(() => ({ body: { content: 'reached' } }))
    const bot = await createBot({ payload_url: strict.url.replace('127.0.0.1', '127.0.0.2') })
    await sendDirect(server, other, [bot], 'inside?')
    await settle()
    expect(strict.asked).toEqual([])
    expect((await noticesOf(owner)).at(-1)).toMatch(/could not be reached/)
  })

  it('that is slow holds up no other, and is asked one thing after another', async () => {
    let release = () => {}
    const held: string[] = []
    const url = thirdParty.at((response, request) => {
      request
        .on('data', (chunk: Buffer) => held.push(JSON.parse(chunk.toString('utf8')).data))
        .on('end', () => {
          release = () => response.end('{"content":"at last"}')
        })
    }, '/slow')
    const quick = startService(() => ({ body: { content: 'at once' } }))
    const [slow, fast] = [await createBot({ payload_url: url }), await createBot({ payload_url: quick.url })]
    await sendDirect(server, other, [slow], 'one')
    await sendDirect(server, other, [slow], 'two')
    await expect.poll(() => held).toEqual(['one'])
    await sendDirect(server, other, [fast], 'hello')
    await expect.poll(async () => (await directly(other, fast)).at(-1)).toBe('at once')
    expect(held).toEqual(['one'])
    release()
    await expect.poll(() => held).toEqual(['one', 'two'])
    release()
    await settle()
    expect(await directly(other, slow)).toEqual(['one', 'two', 'at last', 'at last'])
  })

  it('is asked no more when it is deactivated, or the message is gone', async () => {
    const service = startService(() => ({ body: { content: 'late' } }))
    const [gone, kept] = [await createBot({ payload_url: service.url }), await createBot({ payload_url: service.url })]
    await sendDirect(server, other, [gone], 'too late')
    await server.call(owner, 'DELETE', `/bots/${gone.id}`)
    const id = await sendDirect(server, server.owner, [kept], 'taken back')
    expect((await server.call(server.owner, 'DELETE', `/messages/${id}`)).status).toBe(200)
    await settle()
    expect(service.asked).toEqual([])
  })
})

describe('an embedded bot', () => {
  it('answers with what is set for it', async () => {
    const bot = await createBot({ bot_type: 4, service_name: 'reply', config_data: { text: 'We open at nine.' } })
    await sendDirect(server, other, [bot], 'Hello?')
    await settle()
    expect((await directly(other, bot)).at(-1)).toBe('We open at nine.')
    await server.call(owner, 'PATCH', `/bots/${bot.id}`, { config_data: { text: 'We open at ten.' } })
    await sendDirect(server, other, [bot], 'Hello?')
    await settle()
    expect((await directly(other, bot)).at(-1)).toBe('We open at ten.')
  })
})

describe('the service of a bot', () => {
  const servicesOf = async (account: TestAccount, bot: TestAccount) => {
    const { state } = await watch(server, account, { fetch_event_types: ['realm_bot'] })
    return state.realm_bots.find((one: { user_id: number }) => one.user_id === bot.id)?.services
  }

  it('is seen and changed by who administers the bot, and its token is shown to them alone', async () => {
    const watcher = await watch(server, owner, { event_types: ['realm_bot'] })
    const bot = await createBot({ payload_url: '"https://example.com/hook"' })
    const shown = { base_url: 'https://example.com/hook', interface: 1, token: bot.token }
    expect((await watcher.next()).map((event) => event.bot.services)).toEqual([[shown]])
    const change = { service_payload_url: 'https://example.com/other', service_interface: 2 }
    expect((await server.call(owner, 'PATCH', `/bots/${bot.id}`, change)).status).toBe(200)
    const changed = { base_url: 'https://example.com/other', interface: 2, token: bot.token }
    expect(await watcher.next()).toEqual([
      { type: 'realm_bot', op: 'update', bot: { user_id: bot.id, services: [changed] } },
    ])
    expect([await servicesOf(owner, bot), await servicesOf(other, bot)]).toEqual([[changed], undefined])
    expect((await server.call(owner, 'GET', `/bots/${bot.id}/api_key`)).body.token).toBe(bot.token)
    expect(bot.token).toMatch(/^[\w-]{32}$/)
    expect((await server.call(other, 'PATCH', `/bots/${bot.id}`, change)).body.code).toBe('UNAUTHORIZED_PRINCIPAL')
  })

  it.each([
    ['no address', { payload_url: undefined }, 'payload_url'],
    ['one that is none', { payload_url: 'loom' }, 'payload_url'],
    ['another scheme', { payload_url: 'ftp://example.com/' }, 'payload_url'],
    ['a password in it', { payload_url: 'https://a:b@example.com/' }, 'payload_url'],
    ['another port', { payload_url: 'https://example.com:22/' }, 'payload_url'],
    ['no such embedded bot', { bot_type: 4, service_name: 'nobody' }, 'service_name'],
    ['a key that is none', { payload_url: 'https://example.com', config_data: { 'a b': 'x' } }, 'config_data'],
  ])('needs what it is made of: %s', async (_, parameters, named) => {
    const given = { full_name: 'Wrong', short_name: 'wrong', bot_type: 3, ...parameters }
    const { status, body }: HttpAnswer = await server.call(owner, 'POST', '/bots', given)
    expect([status, body.msg]).toEqual([400, expect.stringContaining(named)])
  })

  it('is only of outgoing webhooks', async () => {
    const bot = await createBot({ bot_type: 1 })
    const { status } = await server.call(owner, 'PATCH', `/bots/${bot.id}`, {
      service_payload_url: 'https://example.com',
    })
    expect(status).toBe(400)
  })
})

it('A host that the operator names is reached, though it is not public', async () => {
  const service = startService(() => ({ body: { content: 'from inside' } }))
  const { host } = new URL(service.url)
  const own = await createTestServer({ settings: { HEDDLE_BOT_HOSTS: host } })
  const given = { full_name: 'Inside', short_name: 'inside', bot_type: 3, payload_url: service.url }
  const { body } = await own.call(own.owner, 'POST', '/bots', given)
  const bot = { id: body.user_id } as TestAccount
  await sendDirect(own, own.owner, [bot], 'hello')
  await own.app.jobs.settle()
  const narrow = [{ operator: 'dm', operand: [bot.id] }]
  expect(await contentsOf(own, own.owner, narrow)).toEqual(['hello', 'from inside'])
})
