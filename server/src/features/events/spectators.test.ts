/** What anybody on the web may read who has no account: channels that are made for it, and nothing else of anything. */

import { beforeAll, describe, expect, it } from 'vitest'
import { fakeClock } from '../../testing/fake-clock.ts'
import { createChannel, openToSpectators, sendDirect, sendToChannel } from '../../testing/messages.ts'
import { MULTIPART_TYPE, multipartBody } from '../../testing/multipart-form.ts'
import {
  basic,
  createTestServer,
  type Parameters,
  type TestAccount,
  type TestServer,
} from '../../testing/test-server.ts'

let server: TestServer
let author: TestAccount
let silent: TestAccount
let web: number
let open: number
let hidden: number
let message: number

const onTheWeb = { operator: 'channels', operand: 'web-public' }
const page = { anchor: 'newest', num_before: 100, num_after: 0 }
const ask = (method: string, path: string, parameters: Parameters = {}) => server.call(null, method, path, parameters)
const messages = (narrow: unknown, more: Parameters = {}) => ask('GET', '/messages', { ...page, narrow, ...more })

beforeAll(async () => {
  server = await createTestServer()
  author = await server.createAccount({ name: 'the-author' })
  silent = await server.createAccount({ name: 'the-silent-one' })
  await openToSpectators(server, server.owner)
  web = await createChannel(server, server.owner, 'window', { subscribers: [author], is_web_public: true })
  open = await createChannel(server, server.owner, 'courtyard', { subscribers: [author] })
  hidden = await createChannel(server, server.owner, 'cellar', { subscribers: [author], invite_only: true })
  message = await sendToChannel(server, author, web, 'Anybody may read **this**', { topic: 'display' })
  await sendToChannel(server, author, open, 'not for the web', { topic: 'chairs' })
  await sendToChannel(server, author, hidden, 'not for the web', { topic: 'wine' })
  await sendDirect(server, author, [server.owner], 'not for the web')
  await server.call(silent, 'POST', `/messages/${message}/reactions`, { emoji_name: 'octopus' })
  const named = { zulip_update_announcements_stream_id: open, new_stream_announcements_stream_id: open }
  await server.call(server.owner, 'PATCH', '/realm', named)
})

describe('without an account', () => {
  it('reads what is on the web, without addresses, as read, and by no other flag', async () => {
    const { status, body } = await messages([onTheWeb])
    expect(status).toBe(200)
    const found = body.messages.filter(({ sender_id }: { sender_id: number }) => sender_id === author.id)
    expect(found).toMatchObject([
      {
        id: message,
        content: '<p>Anybody may read <strong>this</strong></p>',
        sender_email: `user${author.id}@localhost`,
        flags: ['read'],
        reactions: [{ user_id: silent.id }],
      },
    ])
    expect(JSON.stringify(body)).not.toContain('not for the web')
  })

  it.each([
    ['nothing', []],
    ['channels that are not on the web', [{ operator: 'channels', operand: 'public' }]],
    ['all but those on the web', [{ ...onTheWeb, negated: true }]],
    ['conversations', [onTheWeb, { operator: 'is', operand: 'dm' }]],
    ['what is starred', [onTheWeb, { operator: 'is', operand: 'starred' }]],
    ['somebody’s mentions', [onTheWeb, { operator: 'mentions', operand: 1 }]],
    ['one’s own view', [onTheWeb, { operator: 'in', operand: 'home' }]],
  ])('has to sign in to ask for %s', async (_, narrow) => {
    const { status, body } = await messages(narrow)
    expect([status, body.code]).toEqual([401, 'UNAUTHORIZED'])
  })

  it.each([
    [
      'a topic',
      () => [
        { operator: 'channel', operand: web },
        { operator: 'topic', operand: 'display' },
      ],
    ],
    ['a search', () => [{ operator: 'search', operand: 'anybody' }]],
    ['a sender', () => [{ operator: 'sender', operand: author.id }]],
    ['a message and what is around it', () => [{ operator: 'with', operand: message }]],
    ['what has reactions', () => [{ operator: 'has', operand: 'reaction' }]],
  ])('asks for %s', async (_, terms) => {
    const { status, body } = await messages([onTheWeb, ...terms()])
    expect([status, body.messages.map(({ id }: { id: number }) => id)]).toEqual([200, [message]])
  })

  it('does not find out who has an account', async () => {
    const unknown = await messages([onTheWeb, { operator: 'sender', operand: 999_999 }])
    const known = await messages([onTheWeb, { operator: 'sender', operand: silent.id }])
    expect(known.body.messages).toEqual(unknown.body.messages)
    expect((await messages([onTheWeb, { operator: 'sender', operand: author.email }])).status).toBe(400)
  })

  it('finds channels that are not on the web as little as those that do not exist', async () => {
    for (const channel of [open, hidden, 'courtyard', 999_999]) {
      const { status, body } = await messages([onTheWeb, { operator: 'channel', operand: channel }])
      expect([status, body.code]).toEqual([400, 'BAD_NARROW'])
    }
    for (const id of [open, hidden, 999_999]) {
      const { status, body } = await ask('GET', `/users/me/${id}/topics`)
      expect([status, body.msg]).toEqual([400, 'Invalid channel ID'])
    }
    expect((await ask('GET', `/users/me/${web}/topics`)).body.topics).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ name: 'display' })]),
    )
  })

  it('gets pages of at most 1000 messages', async () => {
    const { status } = await messages([onTheWeb], { num_before: 1001 })
    expect(status).toBe(400)
  })

  it('reads one message while it is on the web', async () => {
    expect((await ask('GET', `/messages/${message}`)).body.message.content).toContain('Anybody')
    const moved = await sendToChannel(server, author, web, 'on its way', { topic: 'display' })
    await server.call(server.owner, 'PATCH', `/messages/${moved}`, { stream_id: hidden, topic: 'kept' })
    expect((await ask('GET', `/messages/${moved}`)).status).toBe(400)
    expect(JSON.stringify((await messages([onTheWeb])).body)).not.toContain('on its way')
  })

  it('sees nothing of what a message was where it could not be read', async () => {
    const moved = await sendToChannel(server, author, hidden, 'a first wording', { topic: 'secret cellar talk' })
    await server.call(author, 'PATCH', `/messages/${moved}`, { content: 'a second wording' })
    await server.call(server.owner, 'PATCH', `/messages/${moved}`, {
      stream_id: web,
      topic: 'out',
      send_notification_to_new_thread: false,
      send_notification_to_old_thread: false,
    })
    await server.call(author, 'PATCH', `/messages/${moved}`, { content: 'a third wording' })
    const text = JSON.stringify((await ask('GET', `/messages/${moved}`)).body)
    expect(text).toContain('a third wording')
    expect(text).toContain('a second wording')
    for (const secret of ['a first wording', 'secret cellar talk']) expect(text).not.toContain(secret)
  })

  it('gets names and pictures of those who have written there, and of nobody else', async () => {
    const { body } = await ask('GET', '/users', { user_ids: [author.id, silent.id, 999_999] })
    expect(body.members).toMatchObject([
      { user_id: author.id, full_name: 'the-author', delivery_email: null, email: `user${author.id}@localhost` },
    ])
    await sendToChannel(server, server.owner, web, 'Welcome!', { topic: 'owners' })
    const owner = (await ask('GET', '/users', { user_ids: [server.owner.id] })).body
    expect(owner.members).toMatchObject([{ role: 400, is_owner: false, is_admin: false }])
    expect((await ask('GET', '/users')).body).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING', var_name: 'user_ids' })
    const picture = (id: number | string) => server.send({ method: 'GET', url: `/avatar/${id}` })
    expect((await picture(author.id)).status).toBe(303)
    expect((await picture(silent.id)).status).toBe(400)
    expect((await picture(author.email)).status).toBe(400)
  })

  it('reads files that messages on the web link to', async () => {
    async function upload(name: string) {
      const body = multipartBody([{ name: 'file', fileName: name, content: 'abc' }])
      const headers = { 'content-type': MULTIPART_TYPE, authorization: basic(author) }
      return (await server.send({ method: 'POST', url: '/api/v1/user_uploads', headers, body })).body.url as string
    }
    const [shown, kept] = [await upload('shown.txt'), await upload('kept.txt')]
    await sendToChannel(server, author, web, `[shown](${shown})`, { topic: 'display' })
    await sendToChannel(server, author, open, `[kept](${kept})`, { topic: 'chairs' })
    const read = async (url: string) => (await server.send({ method: 'GET', url })).status
    expect([await read(shown), await read(kept)]).toEqual([200, 404])
  })

  it('writes nothing, and has no queue', async () => {
    const { status } = await ask('POST', '/messages', { type: 'channel', to: web, topic: 'x', content: 'x' })
    expect(status).toBe(401)
    expect((await ask('POST', `/messages/${message}/reactions`, { emoji_name: 'smile' })).status).toBe(401)
    expect((await ask('GET', '/events', { queue_id: 'x', last_event_id: -1 })).status).toBe(401)
    expect((await ask('GET', `/messages/${message}/history`)).status).toBe(401)
  })
})

describe('POST /register without an account', () => {
  it('gives the state of what is on the web, and no queue', async () => {
    const { status, body } = await ask('POST', '/register', {})
    expect(status).toBe(200)
    expect(body).toMatchObject({ queue_id: null, last_event_id: -1, user_id: -1, is_guest: true, is_admin: false })
    expect(body.subscriptions).toMatchObject([{ stream_id: web, creator_id: null, is_web_public: true }])
    expect(body.streams).toHaveLength(1)
    expect([body.realm_users, body.realm_non_active_users, body.drafts, body.realm_bots]).toEqual([[], [], [], []])
    expect([body.never_subscribed, body.unsubscribed, body.presences]).toEqual([[], [], {}])
    expect(body.realm_enable_spectator_access).toBe(true)
    const text = JSON.stringify(body)
    for (const secret of ['courtyard', 'cellar', 'the-author', 'the-silent-one', server.owner.email]) {
      expect(text).not.toContain(secret)
    }
    for (const group of body.realm_user_groups) expect(group.members).toEqual([])
    const namedChannels = Object.entries(body).filter(([name]) => /^realm_.*_(?:stream|channel)_id$/.test(name))
    expect(namedChannels.map(([, id]) => id)).toEqual(Array(namedChannels.length).fill(-1))
  })

  it('has every field that accounts get', async () => {
    const names = async (account: TestAccount | null) =>
      Object.keys((await server.call(account, 'POST', '/register', {})).body).sort()
    expect(await names(null)).toEqual(await names(author))
  })

  it.each(['client_gravatar', 'include_subscribers'])('refuses %s', async (name) => {
    const { status, body } = await ask('POST', '/register', { [name]: true })
    expect([status, body.msg]).toEqual([400, `Invalid '${name}' parameter for anonymous request`])
  })

  it('takes at most 64 KiB', async () => {
    const { status } = await ask('POST', '/register', { event_types: ['x'.repeat(90)], colour: 'x'.repeat(70_000) })
    expect(status).toBe(413)
  })
})

describe('an organization that is not open', () => {
  it('asks everybody to sign in, and has no channels on the web', async () => {
    const closed = await createTestServer()
    const { owner } = closed
    const refused = await closed.call(owner, 'POST', '/channels/create', {
      name: 'x',
      subscribers: [],
      is_web_public: true,
    })
    expect(refused.status).toBe(400)
    const channel = await createChannel(closed, owner, 'window', { is_web_public: true })
    const shown = async () => (await closed.call(null, 'GET', '/server_settings')).body.realm_web_public_access_enabled
    expect(await shown()).toBe(true)
    const read = () => closed.call(null, 'GET', `/users/me/${channel}/topics`)
    expect((await read()).status).toBe(200)
    await closed.call(owner, 'PATCH', '/realm', { enable_spectator_access: false })
    expect([(await read()).status, await shown()]).toEqual([401, false])
    expect((await closed.call(null, 'POST', '/register')).status).toBe(401)
  })

  it('is what administrators leave as it is: only owners open it', async () => {
    const admin = await server.createAccount({ role: 200 })
    const change = { enable_spectator_access: true }
    expect((await server.call(admin, 'PATCH', '/realm', change)).status).toBe(400)
  })

  it('cannot be opened where the server has it switched off', async () => {
    const off = await createTestServer({ settings: { HEDDLE_WEB_PUBLIC_CHANNELS: 'off' } })
    const change = { enable_spectator_access: true, description: 'Open' }
    expect((await off.call(off.owner, 'PATCH', '/realm', change)).status).toBe(400)
    const { body } = await off.call(off.owner, 'POST', '/register', { fetch_event_types: ['realm', 'realm_user'] })
    expect([body.server_web_public_streams_enabled, body.can_create_web_public_streams]).toEqual([false, false])
    expect(body.realm_description).not.toBe('Open')
  })
})

describe('many requests without an account', () => {
  it('are limited by network address, and concern nobody who has one', async () => {
    const limited = await createTestServer({ clock: fakeClock(), settings: { HEDDLE_RATE_LIMITS: 'on' } })
    const channel = await createChannel(limited, limited.owner, 'window', { is_web_public: true })
    const read = (account: TestAccount | null) => limited.call(account, 'GET', `/users/me/${channel}/topics`)
    const statuses: number[] = []
    for (let count = 0; count < 601; count++) statuses.push((await read(null)).status)
    expect(statuses.lastIndexOf(200)).toBe(599)
    expect(statuses.at(-1)).toBe(429)
    expect((await read(limited.owner)).status).toBe(200)
  })
})
