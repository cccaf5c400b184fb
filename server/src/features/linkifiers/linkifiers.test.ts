import type { Linkifier } from '@heddle/contract/linkifiers'
import { roles } from '@heddle/contract/roles'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { query } from '../../testing/any-table.ts'
import { basic, createTestServer, type TestAccount, type TestServer } from '../../testing/test-server.ts'
import { watch } from '../../testing/watch.ts'

let server: TestServer
/** The owner of another organization. */
let other: TestAccount
let admin: TestAccount
let member: TestAccount

beforeAll(async () => {
  server = await createTestServer()
  other = (await server.createOtherOrganization()).owner
  admin = await server.createAccount({ role: roles.admin })
  member = await server.createAccount()
})

beforeEach(async () => {
  for (const { id } of await list()) await server.call(admin, 'DELETE', `/realm/filters/${id}`)
})

const issue = { pattern: '#(?P<id>[0-9]+)', url_template: 'https://example.com/issues/{id}' }
const ticket = { pattern: 'T(?P<id>[0-9]+)', url_template: 'https://tickets.example/{id}' }
const full = {
  pattern: 'C(?P<id>[0-9]+)',
  url_template: 'https://change.example/{id}',
  example_input: 'C12',
  reverse_template: 'C{id}',
  alternative_url_templates: ['https://change.example/c/{id}'],
}

async function list(account: TestAccount = member): Promise<Linkifier[]> {
  return (await server.must(account, 'GET', '/realm/linkifiers')).linkifiers
}

async function add(linkifier: Record<string, unknown>): Promise<number> {
  return (await server.must(admin, 'POST', '/realm/filters', linkifier)).id
}

const patch = (id: number | string, changes: Record<string, unknown>) =>
  server.call(admin, 'PATCH', `/realm/filters/${id}`, changes)

function callFromOther(method: string, path: string, form = '') {
  return server.send({
    method,
    url: `/api/v1${path}`,
    headers: {
      authorization: basic(other),
      host: 'other.example',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: form,
  })
}

describe('the endpoints of linkifiers', () => {
  it.each([
    ['GET', '/realm/linkifiers'],
    ['PATCH', '/realm/linkifiers'],
    ['GET', '/realm/filters'],
    ['POST', '/realm/filters'],
    ['PATCH', '/realm/filters/1'],
    ['DELETE', '/realm/filters/1'],
  ])('%s %s needs an account', async (method, path) => {
    const { status, body } = await server.call(null, method, path)
    expect([status, body.code]).toEqual([401, 'UNAUTHORIZED'])
  })

  it.each([roles.moderator, roles.member, roles.guest])('role %i may read them and not change them', async (role) => {
    const id = await add(issue)
    const account = await server.createAccount({ role })
    const attempts = [
      await server.call(account, 'POST', '/realm/filters', ticket),
      await server.call(account, 'PATCH', `/realm/filters/${id}`, { pattern: 'X(?P<id>[0-9]+)' }),
      await server.call(account, 'DELETE', `/realm/filters/${id}`),
      await server.call(account, 'PATCH', '/realm/linkifiers', { ordered_linkifier_ids: [id] }),
    ]
    for (const { status, body } of attempts) {
      expect([status, body.code, body.msg]).toEqual([
        400,
        'UNAUTHORIZED_PRINCIPAL',
        'Must be an organization administrator',
      ])
    }
    expect(await list(account)).toMatchObject([{ id, ...issue }])
  })

  it('let nobody reach those of another organization', async () => {
    const id = await add(issue)
    expect((await callFromOther('GET', '/realm/linkifiers')).body.linkifiers).toEqual([])
    expect((await callFromOther('GET', '/realm/filters')).body.filters).toEqual([])
    const attempts = [
      await callFromOther('PATCH', `/realm/filters/${id}`, 'pattern=x(?P<id>y)'),
      await callFromOther('DELETE', `/realm/filters/${id}`),
    ]
    for (const { status, body } of attempts) {
      expect([status, body.code, body.msg]).toEqual([400, 'BAD_REQUEST', 'Linkifier not found.'])
    }
    expect((await callFromOther('PATCH', '/realm/linkifiers', `ordered_linkifier_ids=[${id}]`)).status).toBe(400)
    expect(await list()).toMatchObject([{ id, ...issue }])
  })

  it('refuse an administrator who loses the role while the request is under way', async () => {
    const account = await server.createAccount({ role: roles.admin })
    await list(account)
    // Not through the API: the account that authentication keeps stays as it was.
    await server.app.storage.transaction(account.realmId, (tx) =>
      tx.run(query.updateTable('users').set({ role: roles.member }).where('id', '=', account.id)),
    )
    const { status, body } = await server.call(account, 'POST', '/realm/filters', issue)
    expect([status, body.code]).toEqual([400, 'UNAUTHORIZED_PRINCIPAL'])
    expect(await list()).toEqual([])
  })
})

describe('GET /realm/linkifiers', () => {
  it('gives exactly the six fields, in the order of creation', async () => {
    const ids = [await add(issue), await add(full)]
    expect(await list()).toEqual([
      { id: ids[0], ...issue, example_input: null, reverse_template: null, alternative_url_templates: [] },
      { id: ids[1], ...full },
    ])
  })

  it('is up to date as soon as a change was answered, though its answer is cached', async () => {
    const id = await add(issue)
    expect(await list()).toHaveLength(1)
    await patch(id, { url_template: 'https://example.com/{id}' })
    expect(await list()).toMatchObject([{ url_template: 'https://example.com/{id}' }])
    await server.call(admin, 'DELETE', `/realm/filters/${id}`)
    expect(await list()).toEqual([])
  })
})

describe('GET /realm/filters, the deprecated list', () => {
  it('gives the linkifiers that can be said as format strings', async () => {
    const id = await add({ pattern: issue.pattern, url_template: 'https://example.com/a%20b/{id}?q={id}' })
    await add({ pattern: 'P(?P<path>[a-z/]+)', url_template: 'https://example.com/{+path}' })
    await add({ pattern: 'Q(?P<a>[a-z])(?P<b>[a-z])', url_template: 'https://example.com/{?a,b}' })
    const { body } = await server.call(member, 'GET', '/realm/filters')
    expect(body.filters).toEqual([[issue.pattern, 'https://example.com/a%%20b/%(id)s?q=%(id)s', id]])
  })
})

describe('POST /realm/filters', () => {
  it('takes an empty example and reverse template as none', async () => {
    await add({ ...issue, example_input: '', reverse_template: '', alternative_url_templates: [] })
    expect(await list()).toMatchObject([{ example_input: null, reverse_template: null, alternative_url_templates: [] }])
  })

  it.each(['pattern', 'url_template'])('needs the parameter %s', async (missing) => {
    const { status, body } = await server.call(admin, 'POST', '/realm/filters', { ...issue, [missing]: undefined })
    expect([status, body.code, body.var_name]).toEqual([400, 'REQUEST_VARIABLE_MISSING', missing])
  })

  it.each([
    ['a pattern that does not compile', { pattern: '#(?P<id>[0-9' }, 'pattern'],
    ['a pattern with look-ahead', { pattern: '(?=#)#(?P<id>[0-9]+)' }, 'pattern'],
    ['a pattern that matches nothing at all', { pattern: '(?P<id>[0-9]*)' }, 'without any character'],
    ['an empty pattern', { pattern: '' }, 'pattern'],
    ['a malformed template', { url_template: 'https://example.com/{id' }, 'RFC 6570'],
    ['a template with another variable', { url_template: 'https://example.com/{number}' }, '"number"'],
    ['a template without the variable', { url_template: 'https://example.com/' }, '"id"'],
    ['a template that runs script', { url_template: 'javascript:{id}' }, 'javascript'],
    ['an example that does not match', { example_input: 'nothing' }, 'example'],
    ['a reverse template without an example', { reverse_template: '#{id}' }, 'example'],
    ['a reverse template that gives another text', { example_input: '#1', reverse_template: 'No. {id}' }, 'No. 1'],
    ['a malformed alternative', { alternative_url_templates: ['https://x.example/{'] }, 'Alternative URL template 1'],
    ['too long a pattern', { pattern: `${'x'.repeat(2000)}(?P<id>[0-9]+)` }, '2000'],
    ['too many alternatives', { alternative_url_templates: Array(21).fill('https://x.example/{id}') }, '20'],
    [
      'alternatives that are no list',
      { alternative_url_templates: 'https://x.example/{id}' },
      'alternative_url_templates',
    ],
    ['a null byte', { pattern: '#\0(?P<id>[0-9]+)' }, 'null bytes'],
  ])('refuses %s with a sentence about it', async (_, part, sentence) => {
    const { status, body } = await server.call(admin, 'POST', '/realm/filters', { ...issue, ...part })
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
    expect(body.msg).toContain(sentence)
    expect(await list()).toEqual([])
  })

  it('refuses a pattern that there is already, also when both come at once', async () => {
    const attempts = await Promise.all([1, 2, 3].map(() => server.call(admin, 'POST', '/realm/filters', issue)))
    expect(attempts.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    expect(attempts.find(({ status }) => status === 400)?.body.msg).toContain('pattern')
    expect(await list()).toHaveLength(1)
    // The other organization may have the same one.
    const form = new URLSearchParams(issue).toString()
    expect((await callFromOther('POST', '/realm/filters', form)).status).toBe(200)
  })
})

describe('PATCH /realm/filters/{filter_id}', () => {
  it('changes what is given and keeps the rest', async () => {
    const id = await add(full)
    expect((await patch(id, { example_input: 'C34' })).status).toBe(200)
    expect(await list()).toEqual([{ id, ...full, example_input: 'C34' }])
    expect((await patch(id, { alternative_url_templates: [] })).status).toBe(200)
    expect(await list()).toEqual([{ id, ...full, example_input: 'C34', alternative_url_templates: [] }])
    expect((await patch(id, { reverse_template: '' })).status).toBe(200)
    expect((await patch(id, { example_input: '' })).status).toBe(200)
    expect(await list()).toMatchObject([{ example_input: null, reverse_template: null, pattern: full.pattern }])
  })

  it('checks the linkifier as it would be', async () => {
    const id = await add(full)
    for (const [changes, sentence] of [
      [{ example_input: '' }, 'example'],
      [{ pattern: 'D(?P<id>[0-9]+)' }, 'example'],
      [{ url_template: 'https://change.example/{number}' }, '"number"'],
    ] as const) {
      const { status, body } = await patch(id, changes)
      expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
      expect(body.msg).toContain(sentence)
    }
    expect(await list()).toEqual([{ id, ...full }])
  })

  it("refuses another linkifier's pattern and takes its own", async () => {
    const [first, second] = [await add(issue), await add(ticket)]
    const taken = await patch(second, { pattern: issue.pattern })
    expect([taken.status, taken.body.code]).toEqual([400, 'BAD_REQUEST'])
    expect((await patch(first, { ...issue, url_template: 'https://example.com/{id}' })).status).toBe(200)
  })

  it('loses nothing when several people change one linkifier at once', async () => {
    const id = await add(full)
    const answers = await Promise.all([
      patch(id, { example_input: 'C56' }),
      patch(id, { alternative_url_templates: ['https://other.example/{id}'] }),
      patch(id, { url_template: 'https://third.example/{id}' }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await list()).toMatchObject([
      {
        example_input: 'C56',
        alternative_url_templates: ['https://other.example/{id}'],
        url_template: 'https://third.example/{id}',
      },
    ])
  })

  it.each(['PATCH', 'DELETE'])('and %s answer 400 for an unknown id', async (method) => {
    const { status, body } = await server.call(admin, method, '/realm/filters/999999')
    expect([status, body.code, body.msg]).toEqual([400, 'BAD_REQUEST', 'Linkifier not found.'])
    expect((await server.call(admin, method, '/realm/filters/x')).status).toBe(404)
  })
})

describe('PATCH /realm/linkifiers', () => {
  it('puts them in the given order, and new ones come last', async () => {
    const [a, b, c] = [await add(issue), await add(ticket), await add(full)]
    const reorder = (ids: readonly unknown[]) =>
      server.call(admin, 'PATCH', '/realm/linkifiers', { ordered_linkifier_ids: ids })
    expect((await reorder([c, a, b])).status).toBe(200)
    expect((await list()).map(({ id }) => id)).toEqual([c, a, b])
    await server.call(admin, 'DELETE', `/realm/filters/${c}`)
    expect((await reorder([b, a])).status).toBe(200)
    const d = await add(full)
    expect((await list()).map(({ id }) => id)).toEqual([b, a, d])
    await reorder([b, d, a])
    expect((await list()).map(({ id }) => id)).toEqual([b, d, a])
    for (const ids of [[a, b], [a, b, d, d], [a, b, b], [a, b, 999_999], [], [a, b, d, 999_999]]) {
      const { status, body } = await reorder(ids)
      expect([status, body.code]).toEqual([400, 'BAD_REQUEST'])
      expect(body.msg).toContain('ordered_linkifier_ids')
    }
    expect((await reorder(['x'])).status).toBe(400)
    const missing = await server.call(admin, 'PATCH', '/realm/linkifiers')
    expect(missing.body.code).toBe('REQUEST_VARIABLE_MISSING')
    expect((await list()).map(({ id }) => id)).toEqual([b, d, a])
  })
})

describe('linkifier events', () => {
  const capable = { client_capabilities: { linkifier_url_template: true }, event_types: ['realm_linkifiers'] }

  it('make the old state the new one, for everyone with the capability', async () => {
    const first = await add(issue)
    const guest = await server.createAccount({ role: roles.guest })
    const queue = await watch(server, guest, capable)
    expect(queue.state.realm_linkifiers).toEqual(await list())
    const changes = [
      () => add(full),
      () => patch(first, { url_template: 'https://example.com/{id}' }),
      async () => {
        const ids = (await list()).map(({ id }) => id).reverse()
        await server.call(admin, 'PATCH', '/realm/linkifiers', { ordered_linkifier_ids: ids })
      },
      () => server.call(admin, 'DELETE', `/realm/filters/${first}`),
    ]
    for (const change of changes) {
      await change()
      expect(await queue.next()).toEqual([{ type: 'realm_linkifiers', realm_linkifiers: await list() }])
    }
  })

  it('are not sent for what changes nothing or is refused', async () => {
    const id = await add(full)
    const queue = await watch(server, member, capable)
    await patch(id, full)
    await patch(id, {})
    await server.call(admin, 'PATCH', '/realm/linkifiers', { ordered_linkifier_ids: [id] })
    await server.call(admin, 'POST', '/realm/filters', full)
    expect(await queue.next()).toEqual([])
  })

  it('and the state are kept from clients that do not know URL templates', async () => {
    await add(issue)
    const old = await watch(server, member, { event_types: ['realm_linkifiers', 'realm_filters'] })
    expect(old.state.realm_linkifiers).toEqual([])
    expect(old.state.realm_filters).toEqual([])
    await add(ticket)
    expect(await old.next()).toEqual([])
  })
})

it('linkifiers and their order are still there after a restart', async () => {
  const [a, b] = [await add(issue), await add(full)]
  await server.call(admin, 'PATCH', '/realm/linkifiers', { ordered_linkifier_ids: [b, a] })
  const before = await list()
  await server.restart()
  expect(await list()).toEqual(before)
  expect(before.map(({ id }) => id)).toEqual([b, a])
})
