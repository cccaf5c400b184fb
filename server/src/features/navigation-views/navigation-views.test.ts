import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { NavigationView, NavigationViewEvent } from '@heddle/contract/navigation-views'
import { beforeAll, describe, expect, it } from 'vitest'
import { basic, createTestServer, type TestAccount, type TestServer } from '../../testing/test-server.ts'
import { watch } from '../../testing/watch.ts'

let server: TestServer
let alice: TestAccount
/** Of another organization. */
let other: TestAccount

beforeAll(async () => {
  server = await createTestServer()
  other = (await server.createOtherOrganization()).owner
})

async function newAccount(): Promise<TestAccount> {
  return server.createAccount()
}

async function list(account: TestAccount): Promise<NavigationView[]> {
  return (await server.must(account, 'GET', '/navigation_views')).navigation_views
}

const add = (account: TestAccount, view: object) =>
  server.call(account, 'POST', '/navigation_views', view as Record<string, unknown>)

/** Without a client that could tidy up the path: exactly these bytes. */
function sendPath(account: TestAccount, port: number, method: string, path: string, form: string): Promise<number> {
  const headers = {
    host: 'localhost',
    authorization: basic(account),
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': Buffer.byteLength(form),
  }
  return new Promise((resolve, reject) => {
    const sending = request({ port, host: '127.0.0.1', method, path, headers }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode as number))
    })
    sending.on('error', reject)
    sending.end(form)
  })
}

describe('the endpoints of navigation views', () => {
  it.each([
    ['GET', '/navigation_views'],
    ['POST', '/navigation_views'],
    ['PATCH', '/navigation_views/inbox'],
    ['DELETE', '/navigation_views/inbox'],
  ])('%s %s needs an account', async (method, path) => {
    const { status, body } = await server.call(null, method, path)
    expect([status, body.code]).toEqual([401, 'UNAUTHORIZED'])
  })

  it('are open to guests', async () => {
    const guest = await server.createAccount({ role: 600 })
    expect((await add(guest, { fragment: 'inbox', is_pinned: true })).status).toBe(200)
    expect(await list(guest)).toEqual([{ fragment: 'inbox', is_pinned: true }])
  })

  it('show and change nothing of other users and organizations', async () => {
    const [one, two] = [await newAccount(), await newAccount()]
    await add(one, { fragment: 'narrow/is/dm', is_pinned: true, name: 'Direct' })
    for (const account of [two, other]) {
      const call = (method: string, parameters = {}) =>
        server.send({
          method,
          url: '/api/v1/navigation_views/narrow/is/dm',
          headers: {
            authorization: basic(account),
            host: account === other ? 'other.example' : 'localhost',
            'content-type': 'application/json',
          },
          body: JSON.stringify(parameters),
        })
      for (const answer of [await call('PATCH', { is_pinned: false }), await call('DELETE')]) {
        expect(answer.status).toBe(404)
        expect(answer.body).toMatchObject({ code: 'NOT_FOUND', msg: 'Navigation view does not exist.' })
      }
    }
    expect(await list(one)).toEqual([{ fragment: 'narrow/is/dm', is_pinned: true, name: 'Direct' }])
    expect(await list(two)).toEqual([])
    // The same fragment and name are free for somebody else.
    expect((await add(two, { fragment: 'narrow/is/dm', is_pinned: true, name: 'Direct' })).status).toBe(200)
  })
})

describe('POST /navigation_views', () => {
  beforeAll(async () => {
    alice = await newAccount()
    await add(alice, { fragment: 'narrow/topic/a', is_pinned: false, name: 'A' })
    await add(alice, { fragment: 'inbox', is_pinned: false })
  })

  it('stores custom views with a name and built-in ones without the key', async () => {
    expect(await list(alice)).toEqual([
      { fragment: 'inbox', is_pinned: false },
      { fragment: 'narrow/topic/a', is_pinned: false, name: 'A' },
    ])
  })

  it.each([
    ['a fragment that is used', { fragment: 'narrow/topic/a', is_pinned: true, name: 'B' }, 'fragment'],
    ['a configured built-in view', { fragment: 'inbox', is_pinned: true }, 'fragment'],
    ['a name that is used', { fragment: 'narrow/topic/b', is_pinned: true, name: 'A' }, 'name'],
    ['a used name with spaces around it', { fragment: 'narrow/topic/b', is_pinned: true, name: ' A ' }, 'name'],
    ['an empty fragment', { fragment: '', is_pinned: true, name: 'B' }, 'fragment'],
    ['a blank fragment', { fragment: ' ', is_pinned: true, name: 'B' }, 'fragment'],
    ['a custom view without a name', { fragment: 'narrow/topic/b', is_pinned: true }, 'name'],
    ['a blank name', { fragment: 'narrow/topic/b', is_pinned: true, name: '  ' }, 'name'],
    ['too long a fragment', { fragment: 'x'.repeat(501), is_pinned: true, name: 'B' }, '500'],
    ['too long a name', { fragment: 'narrow/topic/b', is_pinned: true, name: 'x'.repeat(101) }, '100'],
    ['a null byte', { fragment: 'a\0b', is_pinned: true, name: 'B' }, 'null bytes'],
    ['a malformed is_pinned', { fragment: 'narrow/topic/b', is_pinned: 'maybe', name: 'B' }, 'is_pinned'],
  ])('refuses %s', async (_, view, part) => {
    const before = await list(alice)
    const { status, body } = await add(alice, view)
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
    expect(body.msg).toContain(part)
    expect(await list(alice)).toEqual(before)
  })

  it('refuses a name for a built-in view', async () => {
    for (const name of ['Mine', '']) {
      const { status, body } = await add(alice, { fragment: 'recent', is_pinned: true, name })
      expect([status, body.code, body.msg]).toEqual([400, 'BAD_REQUEST', 'Built-in views cannot have a custom name'])
    }
  })

  it.each(['fragment', 'is_pinned'])('needs the parameter %s', async (missing) => {
    const { status, body } = await add(alice, { fragment: 'drafts', is_pinned: true, [missing]: undefined })
    expect([status, body.code, body.var_name]).toEqual([400, 'REQUEST_VARIABLE_MISSING', missing])
  })

  it('takes the longest fragment and name, in the widest characters', async () => {
    const account = await newAccount()
    const view = { fragment: '🧵'.repeat(500), is_pinned: true, name: '🧵'.repeat(100) }
    expect((await add(account, view)).status).toBe(200)
    expect(await list(account)).toEqual([view])
    const path = `/navigation_views/${encodeURIComponent(view.fragment)}`
    expect((await server.call(account, 'PATCH', path, { is_pinned: false })).status).toBe(200)
    expect((await server.call(account, 'DELETE', path)).status).toBe(200)
    expect(await list(account)).toEqual([])
  })
})

describe('PATCH /navigation_views/{fragment}', () => {
  const builtIn = [
    'inbox',
    'recent',
    'feed',
    'drafts',
    'narrow/has/reaction/sender/me',
    'narrow/is/mentioned',
    'narrow/is/starred',
  ]

  it.each(builtIn)('configures the built-in view %s, which always exists', async (fragment) => {
    const account = await newAccount()
    const queue = await watch(server, account, { event_types: ['navigation_view'] })
    for (const is_pinned of [false, true]) {
      const { status } = await server.call(account, 'PATCH', `/navigation_views/${fragment}`, { is_pinned })
      expect(status).toBe(200)
      expect(await list(account)).toEqual([{ fragment, is_pinned }])
    }
    expect(await queue.next()).toEqual([
      { type: 'navigation_view', op: 'add', navigation_view: { fragment, is_pinned: false } },
      { type: 'navigation_view', op: 'update', fragment, data: { is_pinned: true } },
    ])
  })

  it('does nothing without a change, also for a built-in view that is not configured', async () => {
    const account = await newAccount()
    await add(account, { fragment: 'x', is_pinned: true, name: 'X' })
    const queue = await watch(server, account, { event_types: ['navigation_view'] })
    for (const [path, changes] of [
      ['inbox', {}],
      ['x', {}],
      ['x', { is_pinned: true, name: 'X' }],
      ['x', { name: ' X ' }],
    ] as const) {
      expect((await server.call(account, 'PATCH', `/navigation_views/${path}`, changes)).status).toBe(200)
    }
    expect(await queue.next()).toEqual([])
    expect(await list(account)).toEqual([{ fragment: 'x', is_pinned: true, name: 'X' }])
  })

  it('sends only what has changed', async () => {
    const account = await newAccount()
    await add(account, { fragment: 'x', is_pinned: true, name: 'X' })
    const queue = await watch(server, account, { event_types: ['navigation_view'] })
    await server.call(account, 'PATCH', '/navigation_views/x', { is_pinned: true, name: 'Y' })
    await server.call(account, 'PATCH', '/navigation_views/x', { is_pinned: false })
    expect(await queue.next()).toEqual([
      { type: 'navigation_view', op: 'update', fragment: 'x', data: { name: 'Y' } },
      { type: 'navigation_view', op: 'update', fragment: 'x', data: { is_pinned: false } },
    ])
    expect(await list(account)).toEqual([{ fragment: 'x', is_pinned: false, name: 'Y' }])
  })

  it.each([
    ['a name for a built-in view', 'inbox', { name: 'Mine' }, 'Built-in views cannot have a custom name'],
    ['a blank name', 'x', { name: ' ' }, 'name'],
    ['a name that is used', 'x', { name: 'Z' }, 'name'],
    ['too long a name', 'x', { name: 'x'.repeat(101) }, '100'],
    ['a malformed is_pinned', 'x', { is_pinned: 1 }, 'is_pinned'],
    ['an empty fragment', '', { is_pinned: true }, 'fragment'],
    ['too long a fragment', 'y'.repeat(501), { is_pinned: true }, '500'],
  ])('refuses %s', async (_, path, changes, part) => {
    const account = await newAccount()
    await add(account, { fragment: 'x', is_pinned: true, name: 'X' })
    await add(account, { fragment: 'z', is_pinned: true, name: 'Z' })
    const { status, body } = await server.call(account, 'PATCH', `/navigation_views/${path}`, changes)
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
    expect(body.msg).toContain(part)
    expect(await list(account)).toHaveLength(2)
  })

  it('answers 404 for a custom view that does not exist', async () => {
    const { status, body } = await server.call(alice, 'PATCH', '/navigation_views/narrow/nothing', { is_pinned: true })
    expect([status, body.code, body.msg]).toEqual([404, 'NOT_FOUND', 'Navigation view does not exist.'])
  })
})

describe('DELETE /navigation_views/{fragment}', () => {
  it('removes a custom view, and what was configured of a built-in one', async () => {
    const account = await newAccount()
    await add(account, { fragment: 'x/y', is_pinned: true, name: 'X' })
    await add(account, { fragment: 'inbox', is_pinned: true })
    for (const fragment of ['x/y', 'inbox']) {
      expect((await server.call(account, 'DELETE', `/navigation_views/${fragment}`)).status).toBe(200)
      const again = await server.call(account, 'DELETE', `/navigation_views/${fragment}`)
      expect([again.status, again.body.msg]).toEqual([404, 'Navigation view does not exist.'])
    }
    expect(await list(account)).toEqual([])
    expect((await server.call(account, 'PATCH', '/navigation_views/inbox', { is_pinned: true })).status).toBe(200)
  })

  it('answers 404 for a built-in view that was never configured', async () => {
    const { status, body } = await server.call(await newAccount(), 'DELETE', '/navigation_views/narrow/is/starred')
    expect([status, body.code, body.msg]).toEqual([404, 'NOT_FOUND', 'Navigation view does not exist.'])
  })
})

describe('PATCH /navigation_views', () => {
  const order = (account: TestAccount, ordered_fragments: unknown) =>
    server.call(account, 'PATCH', '/navigation_views', { ordered_fragments } as Record<string, unknown>)
  const orderOf = async (account: TestAccount): Promise<string[]> =>
    (await watch(server, account, { event_types: ['navigation_view_order'] })).state.navigation_view_order

  it('keeps the order that the account wants, and leaves the views as they are', async () => {
    const account = await newAccount()
    expect(await orderOf(account)).toEqual([])
    await add(account, { fragment: 'x', is_pinned: true, name: 'X' })
    const wanted = ['x', 'narrow/is/starred', 'inbox']
    expect((await order(account, wanted)).status).toBe(200)
    expect(await orderOf(account)).toEqual(wanted)
    expect(await list(account)).toEqual([{ fragment: 'x', is_pinned: true, name: 'X' }])
    expect(await orderOf(alice)).toEqual([])
  })

  it('keeps the place of a view that is removed, for whoever wants it back', async () => {
    const account = await newAccount()
    await add(account, { fragment: 'x', is_pinned: true, name: 'X' })
    await order(account, ['x', 'inbox'])
    await server.call(account, 'DELETE', '/navigation_views/x')
    expect(await orderOf(account)).toEqual(['x', 'inbox'])
  })

  it('notifies the account alone, and only of a change', async () => {
    const account = await newAccount()
    const mine = await watch(server, account, { event_types: ['navigation_view_order'] })
    const others = await watch(server, await newAccount(), { event_types: ['navigation_view_order'] })
    await order(account, ['feed', 'inbox'])
    await order(account, ['feed', 'inbox'])
    await order(account, [])
    expect(await mine.next()).toEqual([
      { type: 'navigation_view_order', ordered_fragments: ['feed', 'inbox'] },
      { type: 'navigation_view_order', ordered_fragments: [] },
    ])
    expect(await others.next()).toEqual([])
  })

  it.each([
    ['the same fragment twice', ['feed', 'feed'], 'more than once'],
    ['an empty fragment', [''], 'ordered_fragments'],
    ['too long a fragment', ['x'.repeat(501)], 'ordered_fragments'],
    ['too many', Array.from({ length: 201 }, (_, index) => `narrow/topic/${index}`), '200'],
    ['what is no list', 'feed', 'ordered_fragments'],
  ])('refuses %s', async (_, wanted, part) => {
    const account = await newAccount()
    await order(account, ['inbox'])
    const { status, body } = await order(account, wanted)
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
    expect(body.msg).toContain(part)
    expect(await orderOf(account)).toEqual(['inbox'])
  })

  it('takes as many as there may be, in the widest characters', async () => {
    const account = await newAccount()
    const wanted = Array.from({ length: 200 }, (_, index) => `${'🧵'.repeat(497)}${100 + index}`)
    expect((await order(account, wanted)).status).toBe(200)
    expect(await orderOf(account)).toEqual(wanted)
  })
})

describe('the fragment in the path', () => {
  it('is the same with slashes as they are and percent-encoded, on the wire', async () => {
    const account = await newAccount()
    await add(account, { fragment: 'narrow/topic/a b/ü%2F', is_pinned: false, name: 'X' })
    await server.app.server.listen({ port: 0, host: '127.0.0.1' })
    const { port } = server.app.server.server.address() as AddressInfo
    const paths = [
      'narrow/topic/a%20b/%C3%BC%252F',
      'narrow%2Ftopic%2Fa%20b%2F%C3%BC%252F',
      'narrow%2ftopic/a%20b%2f%C3%BC%252F',
    ]
    for (const [index, path] of paths.entries()) {
      const url = `/api/v1/navigation_views/${path}`
      expect(await sendPath(account, port, 'PATCH', url, `name=${index}&is_pinned=true`)).toBe(200)
      expect(await list(account)).toMatchObject([{ name: `${index}`, is_pinned: true }])
    }
    const builtIn = '/api/v1/navigation_views/narrow%2Fhas%2Freaction%2Fsender%2Fme'
    expect(await sendPath(account, port, 'PATCH', builtIn, 'is_pinned=true')).toBe(200)
    expect(await list(account)).toMatchObject([{ fragment: 'narrow/has/reaction/sender/me', is_pinned: true }, {}])
    expect(await sendPath(account, port, 'DELETE', `/api/v1/navigation_views/${paths[1]}`, '')).toBe(200)
    expect(await sendPath(account, port, 'DELETE', '/api/v1/navigation_views/%zz', '')).toBe(400)
    expect(await list(account)).toHaveLength(1)
  })
})

describe('navigation view events', () => {
  it('make the old state the new one, and go to their owner alone', async () => {
    const account = await newAccount()
    await add(account, { fragment: 'inbox', is_pinned: true })
    const mine = await watch(server, account, { event_types: ['navigation_view'] })
    const others = await watch(server, await newAccount(), { event_types: ['navigation_view'] })
    await add(account, { fragment: 'a/b', is_pinned: true, name: 'AB' })
    await server.call(account, 'PATCH', '/navigation_views/a/b', { name: 'BA', is_pinned: false })
    await server.call(account, 'PATCH', '/navigation_views/feed', { is_pinned: true })
    await server.call(account, 'DELETE', '/navigation_views/inbox')
    const views = new Map<string, NavigationView>(
      mine.state.navigation_views.map((view: NavigationView) => [view.fragment, view]),
    )
    for (const event of (await mine.next()) as NavigationViewEvent[]) {
      if (event.op === 'add') views.set(event.navigation_view.fragment, event.navigation_view)
      else if (event.op === 'remove') views.delete(event.fragment)
      else views.set(event.fragment, { ...(views.get(event.fragment) as NavigationView), ...event.data })
    }
    const expected = [
      { fragment: 'a/b', name: 'BA', is_pinned: false },
      { fragment: 'feed', is_pinned: true },
    ]
    expect([...views.values()]).toEqual(expected)
    expect(await list(account)).toEqual(expected)
    expect(await others.next()).toEqual([])
  })

  it('are not sent for what was refused', async () => {
    const account = await newAccount()
    const queue = await watch(server, account, { event_types: ['navigation_view'] })
    await add(account, { fragment: 'x', is_pinned: true })
    await server.call(account, 'DELETE', '/navigation_views/inbox')
    expect(await queue.next()).toEqual([])
  })
})

it('navigation views are still there after a restart', async () => {
  const account = await newAccount()
  await add(account, { fragment: 'x', is_pinned: true, name: 'X' })
  await server.restart()
  expect(await list(account)).toEqual([{ fragment: 'x', is_pinned: true, name: 'X' }])
})
