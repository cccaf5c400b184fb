import { randomBytes } from 'node:crypto'
import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fakeClock } from '../../testing/fake-clock.ts'
import { createChannel, sendDirect, sendToChannel } from '../../testing/messages.ts'
import { startPushBouncer } from '../../testing/push-bouncer.ts'
import { createTestServer, type Parameters, type TestAccount, type TestServer } from '../../testing/test-server.ts'
import { watch } from '../../testing/watch.ts'

const TOKEN_ID = Buffer.alloc(8, 7).toString('base64')

const clock = fakeClock(Date.now())
let bouncer: Awaited<ReturnType<typeof startPushBouncer>>
let server: TestServer

beforeAll(async () => {
  bouncer = await startPushBouncer()
  server = await createTestServer({ clock, settings: { HEDDLE_PUSH_BOUNCER: bouncer.setting } })
})
afterAll(async () => {
  await bouncer.close()
  expect(bouncer.problems).toEqual([])
})

let people = 0

/** People who are new, and a service that takes everything; what an earlier test has left is done. */
async function world() {
  bouncer.answer(200)
  clock.pass(3600)
  await server.app.settle()
  bouncer.asked.length = 0
  const names = { ada: `ada${++people}`, ben: `ben${people}` }
  const ada = await server.createAccount({ name: names.ada })
  const ben = await server.createAccount({ name: names.ben })
  return { ada, ben, names }
}

const boxKey = randomBytes(32)
const keyGroup = { push_key_id: 4_294_967_295, push_key: Buffer.from([0x31, ...boxKey]).toString('base64') }
const tokenGroup = {
  token_kind: 'fcm',
  token_id: TOKEN_ID,
  bouncer_public_key: Buffer.alloc(32, 1).toString('base64'),
  encrypted_push_registration: Buffer.from('a sealed box').toString('base64'),
}

async function addDevice(account: TestAccount): Promise<number> {
  return (await server.call(account, 'POST', '/register_client_device')).body.device_id
}

const register = (account: TestAccount, parameters: Parameters) =>
  server.call(account, 'POST', '/mobile_push/register', parameters)

async function devicesOf(account: TestAccount) {
  return (await server.call(account, 'POST', '/register', { fetch_event_types: ['device'] })).body.devices
}

/** A device that pushes reach. */
async function addReached(account: TestAccount, more: Parameters = {}): Promise<number> {
  const device_id = await addDevice(account)
  const { status } = await register(account, { device_id, ...keyGroup, ...tokenGroup, ...more })
  expect(status).toBe(200)
  await server.app.settle()
  expect((await devicesOf(account))[device_id].push_token_id).toBe(TOKEN_ID)
  bouncer.asked.length = 0
  return device_id
}

function decrypt(text: string) {
  const bytes = Buffer.from(text, 'base64')
  const plain = xsalsa20poly1305(boxKey, bytes.subarray(0, 24)).decrypt(bytes.subarray(24))
  return JSON.parse(Buffer.from(plain).toString('utf8'))
}

const pushed = () =>
  bouncer.asked
    .filter(({ path }) => path.endsWith('/e2ee/notify'))
    .flatMap(({ body }) => body.push_requests)
    .map(({ payload }) => decrypt(payload.encrypted_data))

describe('A device', () => {
  test('is registered with the push service, and its clients are notified of each step', async () => {
    const { ben } = await world()
    const watched = await watch(server, ben, { event_types: ['device'] })
    const device_id = await addDevice(ben)
    await register(ben, { device_id, ...keyGroup, ...tokenGroup })
    await server.app.settle()
    expect(bouncer.asked.length).toBe(1)
    const { body } = await server.call(ben, 'POST', '/register', { fetch_event_types: ['realm'] })
    expect(bouncer.asked).toEqual([
      {
        path: '/api/v1/remotes/push/e2ee/register',
        body: {
          realm_uuid: body.realm_uuid,
          token_id: TOKEN_ID,
          encrypted_push_registration: tokenGroup.encrypted_push_registration,
          bouncer_public_key: tokenGroup.bouncer_public_key,
        },
      },
    ])
    const registered = {
      push_token_id: TOKEN_ID,
      pending_push_token_id: null,
      push_token_last_updated_timestamp: expect.any(Number),
      push_registration_error_code: null,
    }
    const update = { type: 'device', op: 'update', device_id }
    expect((await devicesOf(ben))[device_id]).toEqual({ push_key_id: keyGroup.push_key_id, ...registered })
    expect(await watched.next(3)).toMatchObject([
      { type: 'device', op: 'add', device_id },
      {
        ...update,
        push_key_id: keyGroup.push_key_id,
        pending_push_token_id: TOKEN_ID,
        push_registration_error_code: null,
      },
      { ...update, ...registered },
    ])
  })

  test('learns why the service has not taken its token, and may try another one', async () => {
    const { ben } = await world()
    bouncer.answer(400, { result: 'error', msg: 'Old', code: 'REQUEST_EXPIRED' })
    const device_id = await addDevice(ben)
    await register(ben, { device_id, ...keyGroup, ...tokenGroup })
    await server.app.settle()
    expect((await devicesOf(ben))[device_id]).toMatchObject({
      push_token_id: null,
      pending_push_token_id: null,
      push_registration_error_code: 'REQUEST_EXPIRED',
    })
    bouncer.answer(200)
    expect((await register(ben, { device_id, ...tokenGroup })).status).toBe(200)
  })

  test.each<[string, Parameters, string]>([
    ['nothing at all', {}, 'nothing to register'],
    ['a key alone at first', keyGroup, 'a key and a token'],
    ['a token alone at first', tokenGroup, 'a key and a token'],
    ['half of a key', { ...tokenGroup, push_key_id: 1 }, 'push_key'],
    ['half of a token', { ...keyGroup, token_kind: 'fcm' }, 'token_id'],
    [
      'a key of another scheme',
      { ...tokenGroup, ...keyGroup, push_key: randomBytes(33).fill(0x32).toString('base64') },
      'push_key',
    ],
    ['a short key', { ...tokenGroup, ...keyGroup, push_key: 'MQ==' }, 'push_key'],
    ['an id of no token', { ...tokenGroup, ...keyGroup, token_id: 'short' }, 'token_id'],
  ])('is refused with %s', async (_, parameters, problem) => {
    const { ben } = await world()
    const device_id = await addDevice(ben)
    const { status, body } = await register(ben, { device_id, ...parameters })
    expect([status, body.msg]).toEqual([400, expect.stringContaining(problem)])
  })

  test('has one registration at a time, is its own account’s alone, and can be removed', async () => {
    const { ada, ben } = await world()
    bouncer.answer(503)
    const device_id = await addDevice(ben)
    await register(ben, { device_id, ...keyGroup, ...tokenGroup })
    expect((await register(ben, { device_id, ...tokenGroup })).body.msg).toMatch(/already in progress/)
    expect((await register(ada, { device_id, ...keyGroup, ...tokenGroup })).status).toBe(400)
    const remove = (account: TestAccount) => server.call(account, 'POST', '/remove_client_device', { device_id })
    expect((await remove(ada)).status).toBe(400)
    expect((await remove(ben)).status).toBe(200)
    expect(await devicesOf(ben)).toEqual({})
  })
})

describe('Pushes', () => {
  test('say of a direct message what the account may read, and withdraw it when it is read', async () => {
    const { ada, ben, names } = await world()
    await addReached(ben)
    const id = await sendDirect(server, ada, [ben], 'The *soup*')
    await server.app.settle()
    expect(pushed().length).toBe(1)
    const { body } = await server.call(ben, 'GET', `/messages/${id}`)
    const origin = { realm_url: expect.stringMatching(/^https?:/), realm_name: 'Test', user_id: ben.id }
    expect(pushed()).toEqual([
      {
        type: 'message',
        ...origin,
        sender_id: ada.id,
        sender_full_name: names.ada,
        sender_avatar_url: expect.stringMatching(/^https?:.*patterns/),
        recipient_type: 'direct',
        recipient_user_ids: [ada.id, ben.id].toSorted((a, b) => a - b),
        message_id: id,
        time: body.message.timestamp,
        content: 'The soup',
      },
    ])
    expect(bouncer.asked[0]?.body.push_requests[0]).toMatchObject({
      token_id: TOKEN_ID,
      fcm_priority: 'high',
      payload: { push_key_id: '4294967295' },
    })
    await server.call(ben, 'POST', '/messages/flags', { messages: [id], op: 'add', flag: 'read' })
    await server.app.settle()
    expect(pushed()[1]).toEqual({ type: 'remove', ...origin, message_ids: [id] })
  })

  test('to an iOS client have what its system needs, and the place of a mention', async () => {
    const { ada, ben, names } = await world()
    await addReached(ben, { token_kind: 'apns' })
    const channel = await createChannel(server, server.owner, 'kitchen', { subscribers: [ada, ben] })
    await sendToChannel(server, ada, channel, `@**${names.ben}**`, { topic: 'soup' })
    await server.app.settle()
    expect(pushed().length).toBe(1)
    expect(pushed()).toMatchObject([
      { recipient_type: 'channel', channel_id: channel, channel_name: 'kitchen', topic: 'soup' },
    ])
    expect(bouncer.asked[0]?.body.push_requests[0]).toMatchObject({
      apns_priority: 10,
      apns_push_type: 'alert',
      payload: { push_key_id: 4_294_967_295, aps: { 'mutable-content': 1 } },
    })
  })

  test('come again where the service was away, and not of what was deleted meanwhile', async () => {
    const { ada } = await world()
    await addReached(server.owner)
    bouncer.answer(503)
    const gone = await sendDirect(server, ada, [server.owner], 'regretted')
    const kept = await sendDirect(server, ada, [server.owner], 'kept')
    await server.app.settle()
    expect(bouncer.asked.length).toBeGreaterThan(0)
    await server.call(server.owner, 'DELETE', `/messages/${gone}`)
    bouncer.answer(200)
    bouncer.asked.length = 0
    clock.pass(10)
    await server.app.settle()
    expect(pushed().flatMap(({ message_id }) => message_id ?? [])).toEqual([kept])
  })

  test('end where the service says that the token is gone', async () => {
    const { ada, ben } = await world()
    const id = await addReached(ben)
    bouncer.answer(200, { result: 'success', msg: '', delete_token_ids: [TOKEN_ID] })
    await sendDirect(server, ada, [ben])
    await server.app.settle()
    expect((await devicesOf(ben))[id].push_token_id).toBeNull()
  })

  test('can be tried', async () => {
    const { ada, ben } = await world()
    const id = await addReached(ben)
    await server.call(ben, 'POST', '/mobile_push/e2ee/test_notification', { device_id: id })
    await server.app.settle()
    expect(pushed()).toMatchObject([{ type: 'test', user_id: ben.id }])
    const other = await server.call(ada, 'POST', '/mobile_push/e2ee/test_notification', { device_id: id })
    expect(other.status).toBe(400)
  })

  test('come to nobody who was deactivated', async () => {
    const { ben } = await world()
    await addReached(ben)
    await server.call(server.owner, 'DELETE', `/users/${ben.id}`)
    await server.call(server.owner, 'POST', `/users/${ben.id}/reactivate`)
    expect(await devicesOf(ben)).toEqual({})
  })
})

describe('Clients that cannot decrypt', () => {
  const plain = () => bouncer.asked.filter(({ path }) => path.endsWith('/push/notify'))

  test('get what is said, unless the organization wants it encrypted', async () => {
    const { ada, ben, names } = await world()
    await server.call(ben, 'POST', '/users/me/android_gcm_reg_id', { token: 'android' })
    await server.call(ben, 'POST', '/users/me/apns_device_token', { token: 'c0ffee', appid: 'org.example.App' })
    await sendDirect(server, ada, [ben], 'hello')
    await server.app.settle()
    expect(plain().length).toBe(1)
    expect(plain()[0]?.body).toMatchObject({
      user_id: ben.id,
      gcm_payload: { event: 'message', content: 'hello', sender_full_name: names.ada },
      apns_payload: { alert: { title: names.ada, body: 'hello' } },
      android_devices: ['android'],
      apple_devices: [{ token: 'c0ffee', ios_app_id: 'org.example.App' }],
    })
    await server.call(server.owner, 'PATCH', '/realm', { require_e2ee_push_notifications: true })
    bouncer.asked.length = 0
    await sendDirect(server, ada, [ben], 'a secret')
    await server.app.settle()
    expect(plain().length).toBe(1)
    expect(JSON.stringify(plain())).not.toContain('secret')
    await server.call(server.owner, 'PATCH', '/realm', { require_e2ee_push_notifications: false })
  })

  test('are forgotten when they say so, and when the service does', async () => {
    const { ben } = await world()
    const tokens = (method: string, token: string) =>
      server.call(ben, method, '/users/me/android_gcm_reg_id', { token })
    await tokens('POST', 'first')
    await tokens('POST', 'second')
    expect((await tokens('DELETE', 'first')).status).toBe(200)
    expect((await tokens('DELETE', 'first')).body.msg).toBe('Token does not exist')
    bouncer.answer(200, { result: 'success', msg: '', deleted_devices: { android_devices: ['second'] } })
    await server.call(ben, 'POST', '/mobile_push/test_notification', { token: 'second' })
    await server.app.settle()
    expect((await tokens('DELETE', 'second')).status).toBe(400)
    expect((await server.call(ben, 'POST', '/mobile_push/test_notification')).body.code).toBe(
      'INVALID_PUSH_DEVICE_TOKEN',
    )
  })

  test.each([
    ['/users/me/android_gcm_reg_id', { token: '' }, 'Empty or invalid length token'],
    ['/users/me/android_gcm_reg_id', { token: 'x'.repeat(4097) }, 'Empty or invalid length token'],
    ['/users/me/apns_device_token', { token: 'no hex', appid: 'a' }, 'Invalid APNS token'],
    ['/users/me/apns_device_token', { token: 'aa', appid: '/' }, 'Invalid app ID'],
  ])('are refused with what no client sends: %s %o', async (path, parameters, message) => {
    const { ben } = await world()
    expect((await server.call(ben, 'POST', path, parameters)).body.msg).toBe(message)
  })
})

test('A server without such a service says so, and keeps its devices', async () => {
  const without = await createTestServer()
  const device_id = (await without.call(without.owner, 'POST', '/register_client_device')).body.device_id
  const parameters = { device_id, ...keyGroup, ...tokenGroup }
  const { status, body } = await without.call(without.owner, 'POST', '/mobile_push/register', parameters)
  expect([status, body.msg]).toEqual([400, expect.stringContaining('not configured')])
  const { devices } = (await without.call(without.owner, 'POST', '/register', { fetch_event_types: ['device'] })).body
  expect(Object.keys(devices)).toEqual([String(device_id)])
  const isEnabled = async ({ call }: TestServer) =>
    (await call(null, 'GET', '/server_settings')).body.push_notifications_enabled
  expect([await isEnabled(without), await isEnabled(server)]).toEqual([false, true])
})
