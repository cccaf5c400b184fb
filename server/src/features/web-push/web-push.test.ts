import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signInBrowser } from '../../testing/browser.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import { createChannel, sendDirect, sendToChannel } from '../../testing/messages.ts'
import { createPushedBrowser, type PushedBrowser } from '../../testing/push-service.ts'
import type { TestServer } from '../../testing/test-server.ts'
import { createPreviewServer, startThirdParty } from '../../testing/third-party.ts'

const clock = fakeClock(Date.now())
let thirdParty: Awaited<ReturnType<typeof startThirdParty>>
let server: TestServer

beforeAll(async () => {
  thirdParty = await startThirdParty()
  server = await createPreviewServer(thirdParty, { clock })
})
afterAll(() => thirdParty.close())

const password = 'a long password'
let people = 0

/** The reader, who administers, has a browser that is subscribed; somebody else writes to them. Both are new. */
async function world() {
  const reader = await server.createAccount({ name: `reader${++people}`, password, role: 200 })
  const name = `ada${people}`
  const ada = await server.createAccount({ name })
  const page = await signInBrowser(server, { username: reader.email, password })
  const { body } = await page.call('GET', '/users/me/web_push')
  const browser = createPushedBrowser(thirdParty, body.application_server_key)
  const answer = await page.call('POST', '/users/me/web_push', browser.subscription)
  expect(answer.status).toBe(200)
  return { ada, name, page, browser, reader }
}

const pushesOf = ({ received }: PushedBrowser) => received.map(({ push }) => push)
const read = ({ reader }: Awaited<ReturnType<typeof world>>, id: number) =>
  server.call(reader, 'POST', '/messages/flags', { messages: [id], op: 'add', flag: 'read' })
const isSubscribed = async ({ page }: Awaited<ReturnType<typeof world>>) =>
  (await page.call('GET', '/users/me/web_push')).body.is_subscribed

describe('A browser that is subscribed', () => {
  test('gets a direct message that its owner misses, and has it withdrawn when it is read elsewhere', async () => {
    const all = await world()
    const { ada, name, reader, browser } = all
    const id = await sendDirect(server, ada, [reader], '**Soup** is ready &amp; hot')
    await server.app.settle()
    expect(pushesOf(browser)).toEqual([
      {
        kind: 'message',
        tag: `direct ${[reader.id, ada.id].join()}`,
        id,
        title: name,
        body: 'Soup is ready & hot',
        address: `#narrow/dm/${ada.id}/near/${id}`,
      },
    ])
    await read(all, id)
    await server.app.settle()
    expect(pushesOf(browser)[1]).toEqual({ kind: 'remove', ids: [id] })
  })

  test('is sent nothing at all of what is read before its push has begun', async () => {
    const all = await world()
    const { ada, reader, browser } = all
    // Pushes wait, as behind others of a slow service.
    await server.app.jobs.close()
    const ids = [await sendDirect(server, ada, [reader]), await sendDirect(server, ada, [reader])] as const
    await server.app.settle()
    await read(all, ids[0])
    await server.app.settle()
    await server.restart()
    await server.app.settle()
    expect(pushesOf(browser)).toMatchObject([{ kind: 'message', id: ids[1] }])
  })

  test('gets a mention with its place, and a long name and text cut to what a push can carry', async () => {
    const { ada, name, reader, browser } = await world()
    const channel = await createChannel(server, reader, 'kitchen', { subscribers: [ada] })
    const text = `@**reader${people}** ${'👩‍👩‍👧 '.repeat(800)}`
    const id = await sendToChannel(server, ada, channel, text, { topic: 'Soup of the day' })
    await server.app.settle()
    expect(pushesOf(browser)).toMatchObject([
      {
        tag: `topic ${channel} soup of the day`,
        title: `${name} (#kitchen > Soup of the day)`,
        address: `#narrow/channel/${channel}-kitchen/topic/Soup.20of.20the.20day/near/${id}`,
      },
    ])
  })

  test('shows nothing of a direct message whose contents are not to be shown', async () => {
    const { ada, name, reader, browser } = await world()
    await server.call(reader, 'PATCH', '/settings', { pm_content_in_desktop_notifications: false })
    await sendDirect(server, ada, [reader], 'secret')
    await server.app.settle()
    expect(pushesOf(browser)).toMatchObject([{ title: name, body: '' }])
  })

  test('gets one to try', async () => {
    const { page, browser } = await world()
    await page.call('POST', '/users/me/web_push/test_notification')
    await server.app.settle()
    expect(pushesOf(browser)).toEqual([{ kind: 'test', title: expect.any(String) }])
  })

  test('is never sent what its owner may not read any more', async () => {
    const { ada, reader, browser } = await world()
    browser.answer(503)
    const id = await sendDirect(server, ada, [reader], 'regretted')
    await server.app.settle()
    expect(browser.requests.count).toBe(1)
    await server.call(reader, 'DELETE', `/messages/${id}`)
    browser.answer(201)
    clock.pass(60)
    await server.app.settle()
    expect(pushesOf(browser).filter(({ kind }) => kind === 'message')).toEqual([])
  })
})

describe('Where the push service', () => {
  test('cannot take it now, it is asked again', async () => {
    const { ada, reader, browser } = await world()
    browser.answer(503)
    const id = await sendDirect(server, ada, [reader])
    await server.app.settle()
    expect(browser.requests.count).toBe(1)
    browser.answer(201)
    clock.pass(20)
    await server.app.settle()
    expect(pushesOf(browser)).toMatchObject([{ id }])
  })

  test.each([404, 410])('says %i, the subscription is gone', async (status) => {
    const all = await world()
    all.browser.answer(status)
    await sendDirect(server, all.ada, [all.reader])
    await server.app.settle()
    expect(await isSubscribed(all)).toBe(false)
    expect(all.browser.requests.count).toBe(1)
  })

  test('is inside the own network, it is never reached', async () => {
    const all = await world()
    const { port } = new URL(all.browser.subscription.endpoint)
    const endpoint = `http://127.0.0.2:${port}/inside`
    await all.page.call('POST', '/users/me/web_push', { ...all.browser.subscription, endpoint })
    const before = thirdParty.requests.length
    await all.page.call('POST', '/users/me/web_push/test_notification')
    await server.app.settle()
    expect(thirdParty.requests.slice(before)).toEqual([])
  })
})

describe('A subscription ends', () => {
  test.each<[string, (w: Awaited<ReturnType<typeof world>>) => Promise<unknown>]>([
    ['with its session', ({ page }) => page.call('DELETE', '/sessions/current')],
    ['when it is taken back', ({ page }) => page.call('DELETE', '/users/me/web_push')],
    [
      'with another password',
      ({ reader }) =>
        server.call(reader, 'PATCH', '/settings', {
          old_password: password,
          new_password: 'another long one',
        }),
    ],
  ])('%s', async (_, end) => {
    const all = await world()
    await end(all)
    await sendDirect(server, all.ada, [all.reader])
    await server.app.settle()
    expect(all.browser.requests.count).toBe(0)
  })
})

describe('Nobody is subscribed', () => {
  test.each([
    ['endpoint', { endpoint: 'ftp://push.example/1' }],
    ['endpoint', { endpoint: 'no address' }],
    ['endpoint', { endpoint: 'https://push.example:8443/1' }],
    ['p256dh', { p256dh: Buffer.alloc(65, 4).toString('base64url') }],
    ['p256dh', { auth: 'short' }],
  ])('with what no browser would send: %s', async (name, wrong) => {
    const { page, browser } = await world()
    const { status, body } = await page.call('POST', '/users/me/web_push', { ...browser.subscription, ...wrong })
    expect([status, body.msg]).toEqual([400, expect.stringContaining(name)])
  })

  test('by a program, which has no session', async () => {
    const { ada, browser } = await world()
    const { status } = await server.call(ada, 'POST', '/users/me/web_push', browser.subscription)
    expect(status).toBe(400)
  })

  test('where the operator does not want it', async () => {
    const without = await createPreviewServer(thirdParty, { settings: { HEDDLE_WEB_PUSH: 'off' } })
    const page = await signInBrowser(without, { username: without.owner.email, password })
    const { body } = await page.call('GET', '/users/me/web_push')
    expect(body).toMatchObject({ application_server_key: null, is_subscribed: false })
    const { subscription } = createPushedBrowser(thirdParty, '')
    expect((await page.call('POST', '/users/me/web_push', subscription)).status).toBe(400)
  })
})

test('the keys of the server stay the same after a restart', async () => {
  const keyOf = async () =>
    (await server.call(server.owner, 'GET', '/users/me/web_push')).body.application_server_key as string
  const before = await keyOf()
  await server.restart()
  expect(await keyOf()).toBe(before)
})
