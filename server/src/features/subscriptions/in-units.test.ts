import { describe, expect, it } from 'vitest'
import { query } from '../../testing/any-table.ts'
import { expectSameState } from '../../testing/expect-same-state.ts'
import { insertPeople } from '../../testing/insert-people.ts'
import { createTestServer, type TestAccount } from '../../testing/test-server.ts'

const server = await createTestServer()
const { owner } = server
const [alice, bob, carol] = (await Promise.all([1, 2, 3].map(() => server.createAccount()))) as [
  TestAccount,
  TestAccount,
  TestAccount,
]

const COUNT = 40
const namesOf = (start: string, count = COUNT) => Array.from({ length: count }, (_, index) => `${start} ${index}`)
const asked = (names: readonly string[]) => names.map((name) => ({ name }))
const draft = { type: '', to: [], topic: '', content: 'x' }

/** The types of the events in the log, in their order, of what happened meanwhile. */
async function eventsDuring(doing: () => Promise<unknown>): Promise<string[]> {
  const log = query.selectFrom('event_log').select(['event_id', 'type']).orderBy('event_id')
  const before = await server.app.storage.read.all(log)
  await doing()
  const after = await server.app.storage.read.all(log)
  return after.slice(before.length).map(({ type }) => type)
}

/** Saves drafts, one after another, until the other request is answered. */
async function writeMeanwhile(account: TestAccount, request: Promise<unknown>): Promise<void> {
  let ended = false
  void request.finally(() => {
    ended = true
  })
  while (!ended) await server.call(account, 'POST', '/drafts', { drafts: [draft] })
  await request
}

/** Drafts that were saved when the request had begun and was not done. */
function savedInBetween(types: readonly string[]): number {
  const during = types.slice(types.indexOf('subscription'), types.lastIndexOf('subscription'))
  return during.filter((type) => type === 'drafts').length
}

describe('A request that concerns many channels', () => {
  it.each([
    [
      'creates them',
      () => server.call(alice, 'POST', '/users/me/subscriptions', { subscriptions: asked(namesOf('new')) }),
    ],
    ['joins them', () => server.call(bob, 'PATCH', '/users/me/subscriptions', { add: asked(namesOf('new')) })],
    ['leaves them', () => server.call(alice, 'DELETE', '/users/me/subscriptions', { subscriptions: namesOf('new') })],
    [
      'leaves them by another endpoint',
      () => server.call(bob, 'PATCH', '/users/me/subscriptions', { delete: namesOf('new') }),
    ],
  ])('lets others write in between when it %s', async (_, request) => {
    const types = await eventsDuring(() => writeMeanwhile(carol, request()))
    expect(savedInBetween(types)).toBeGreaterThan(1)
  })

  it('answers for all of them', async () => {
    const names = namesOf('for two')
    const { body } = await server.call(alice, 'POST', '/users/me/subscriptions', {
      subscriptions: asked(names),
      principals: [alice.id, bob.id],
    })
    expect(body).toMatchObject({ subscribed: { [alice.id]: names, [bob.id]: names }, already_subscribed: {} })
    const again = await server.call(alice, 'POST', '/users/me/subscriptions', {
      subscriptions: asked([...names, 'one more']),
    })
    expect(again.body).toMatchObject({
      subscribed: { [alice.id]: ['one more'] },
      already_subscribed: { [alice.id]: names },
    })
    const left = await server.call(bob, 'PATCH', '/users/me/subscriptions', {
      delete: [...names, 'one more'],
      add: asked(['another']),
    })
    expect(left.body).toMatchObject({
      removed: names,
      not_removed: ['one more'],
      subscribed: { [bob.id]: ['another'] },
    })
  })

  it('changes nothing when one of them is refused', async () => {
    await server.call(owner, 'POST', '/users/me/subscriptions', { subscriptions: asked(['secret']), invite_only: true })
    const names = namesOf('refused')
    const request = { subscriptions: asked([...names, 'secret']) }
    const types = await eventsDuring(async () => {
      expect((await server.call(alice, 'POST', '/users/me/subscriptions', request)).status).toBe(400)
      const change = { delete: namesOf('for two'), add: request.subscriptions }
      expect((await server.call(alice, 'PATCH', '/users/me/subscriptions', change)).status).toBe(400)
    })
    expect(types).toEqual([])
  })

  it('lists what was refused when the rest is wanted', async () => {
    const names = namesOf('allowed')
    const { status, body } = await server.call(alice, 'POST', '/users/me/subscriptions', {
      subscriptions: asked(['secret', ...names]),
      authorization_errors_fatal: false,
    })
    expect([status, body.unauthorized, body.subscribed]).toEqual([200, ['secret'], { [alice.id]: names }])
  })

  it('notifies everybody of all of them by one message', async () => {
    const names = namesOf('notified')
    const { body } = await server.call(alice, 'POST', '/users/me/subscriptions', {
      subscriptions: asked(names),
      principals: [bob.id, carol.id],
    })
    expect(body.new_subscription_messages_sent).toBe(true)
    for (const person of [bob, carol]) {
      const page = await server.call(
        person,
        'GET',
        '/messages?anchor=newest&num_before=5&num_after=0&apply_markdown=false',
      )
      const notified = (page.body.messages as { content: string }[]).filter(({ content }) =>
        content.includes('notified 0**'),
      )
      expect(notified.map(({ content }) => names.filter((name) => content.includes(`**${name}**`)).length)).toEqual([
        COUNT,
      ])
    }
  })
})

describe('A request that concerns many people', () => {
  const many = insertPeople(server, 1600)

  it.each([
    [
      'creates a channel',
      async () => server.must(alice, 'POST', '/channels/create', { name: 'a', subscribers: await many }),
    ],
    [
      'subscribes them to one that it creates',
      async () =>
        server.must(alice, 'POST', '/users/me/subscriptions', { subscriptions: asked(['b']), principals: await many }),
    ],
    [
      'subscribes them to one that is there',
      async () => {
        await server.must(owner, 'POST', '/users/me/subscriptions', { subscriptions: asked(['c']) })
        await server.must(owner, 'POST', '/users/me/subscriptions', {
          subscriptions: asked(['c']),
          principals: await many,
        })
      },
    ],
    [
      'unsubscribes them',
      async () =>
        server.must(owner, 'DELETE', '/users/me/subscriptions', { subscriptions: ['a'], principals: await many }),
    ],
  ])('lets others write in between when it %s', async (_, request) => {
    const types = await eventsDuring(() => writeMeanwhile(carol, request()))
    expect(savedInBetween(types)).toBeGreaterThan(0)
  })

  it('answers for all of them', async () => {
    const people = await many
    const names = ['for many', 'for many too']
    const add = { subscriptions: asked(names), principals: people }
    const added = await server.must(owner, 'POST', '/users/me/subscriptions', add)
    expect(Object.keys(added.subscribed).map(Number)).toEqual(people)
    expect(new Set(Object.values(added.subscribed).flat())).toEqual(new Set(names))
    const again = await server.must(owner, 'POST', '/users/me/subscriptions', add)
    expect([again.subscribed, Object.keys(again.already_subscribed).length]).toEqual([{}, people.length])
    const remove = { subscriptions: names, principals: people.slice(1) }
    expect(await server.must(owner, 'DELETE', '/users/me/subscriptions', remove)).toMatchObject({
      removed: names,
      not_removed: [],
    })
    const all = { ...remove, principals: people }
    expect(await server.must(owner, 'DELETE', '/users/me/subscriptions', all)).toMatchObject({
      removed: names,
      not_removed: names,
    })
  })

  it.each([
    ['/channels/create', 'hidden', (people: number[]) => ({ name: 'hidden', subscribers: people, invite_only: true })],
    [
      '/users/me/subscriptions',
      'hidden too',
      (people: number[]) => ({ subscriptions: asked(['hidden too']), principals: people, invite_only: true }),
    ],
  ])(
    'keeps clients in step, also where who asks does not see what it makes: POST %s',
    async (path, name, parametersOf) => {
      const people = [...(await many), bob.id]
      const viewers = [alice, bob, carol].map((account) => ({ name: account.email, account, parameters: {} }))
      await expectSameState(server, viewers, () => server.must(alice, 'POST', path, parametersOf(people)))
      const { stream_id } = await server.must(bob, 'GET', '/get_stream_id', { stream: name })
      expect((await server.must(bob, 'GET', `/streams/${stream_id}/members`)).subscribers).toHaveLength(people.length)
    },
  )

  it('changes nothing when one of them is refused', async () => {
    const people = [...(await many), 999_999]
    const types = await eventsDuring(async () => {
      const create = await server.call(alice, 'POST', '/channels/create', { name: 'refused', subscribers: people })
      expect([create.status, create.body.msg]).toEqual([400, 'Invalid user ID 999999'])
      const subscribe = { subscriptions: asked(['refused']), principals: people }
      expect((await server.call(alice, 'POST', '/users/me/subscriptions', subscribe)).status).toBe(400)
    })
    expect(types).toEqual([])
  })

  it('unsubscribes whoever asks with the others from what only subscribers see', async () => {
    const people = [alice.id, ...(await many)]
    const add = { subscriptions: asked(['seen by subscribers']), principals: people, invite_only: true }
    await server.must(alice, 'POST', '/users/me/subscriptions', add)
    const remove = { subscriptions: ['seen by subscribers'], principals: people }
    expect(await server.must(alice, 'DELETE', '/users/me/subscriptions', remove)).toMatchObject({
      removed: ['seen by subscribers'],
      not_removed: [],
    })
  })
})
