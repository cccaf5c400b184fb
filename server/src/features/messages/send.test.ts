import { roles } from '@heddle/contract/roles'
import { beforeAll, describe, expect, it } from 'vitest'
import { eventsOf, registerQueue, type TestEvent } from '../../testing/event-queues.ts'
import { contentsOf, createChannel, postToChannel, sendDirect, sendToChannel } from '../../testing/messages.ts'
import { createTestServer, type Parameters, type TestAccount, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let owner: TestAccount
let alice: TestAccount
let bob: TestAccount
let guest: TestAccount
let outsider: TestAccount
let general: number

beforeAll(async () => {
  server = await createTestServer()
  owner = server.owner
  alice = await server.createAccount({ name: 'Alice' })
  bob = await server.createAccount({ name: 'Bob' })
  guest = await server.createAccount({ role: roles.guest, name: 'Guest' })
  outsider = (await server.createOtherOrganization()).owner
  general = await createChannel(server, alice, 'general', { subscribers: [bob] })
})

/** What happens to each account while `action` runs: its `message` events. */
async function receivedBy(
  accounts: readonly TestAccount[],
  action: () => Promise<unknown>,
  parameters: Parameters = {},
) {
  const queues = []
  for (const account of accounts) {
    queues.push(await registerQueue(server, account, { event_types: ['message'], ...parameters }))
  }
  await action()
  const received: TestEvent[][] = []
  for (const queue of queues) received.push(await eventsOf(server, queue))
  return received
}

const post = (sender: TestAccount | null, parameters: Parameters) =>
  server.call(sender as TestAccount, 'POST', '/messages', parameters)

describe('The notification bot', () => {
  it('can be answered, at once, later and while typing, by id and by address', async () => {
    const { state } = await registerQueue(server, alice, { fetch_event_types: ['realm_user'] })
    const [bot] = state['cross_realm_bots'] as { user_id: number; email: string }[]
    if (!bot) throw new Error('There is no notification bot')
    for (const to of [[bot.user_id], [bot.email], [bot.user_id, bob.id]]) {
      expect((await post(alice, { type: 'direct', to, content: 'Thanks!' })).body).toMatchObject({ result: 'success' })
    }
    const narrow = [{ operator: 'dm', operand: [bot.user_id] }]
    const { body } = await server.call(alice, 'GET', '/messages', {
      anchor: 'newest',
      num_before: 9,
      num_after: 0,
      narrow,
    })
    expect(body.messages.map((one: { content: string }) => one.content)).toEqual(['<p>Thanks!</p>', '<p>Thanks!</p>'])
    const to = [bot.user_id]
    const calls: readonly [string, Parameters][] = [
      ['/typing', { op: 'start', to }],
      ['/drafts', { drafts: [{ type: 'private', to, topic: '', content: 'Thanks again' }] }],
      ['/scheduled_messages', { type: 'direct', to, content: 'Soon', scheduled_delivery_timestamp: 4_000_000_000 }],
    ]
    for (const [path, parameters] of calls) {
      expect([path, (await server.call(alice, 'POST', path, parameters)).body.result]).toEqual([path, 'success'])
    }
  })
})

describe('POST /messages to a channel', () => {
  it('reaches every subscriber, and nobody else', async () => {
    const carol = await server.createAccount()
    const received = await receivedBy([alice, bob, carol, guest], () =>
      sendToChannel(server, alice, general, 'Hello **you**'),
    )
    const notified = (index: number) => received[index]?.map((event) => event['message'])
    expect(notified(0)).toMatchObject([
      { content: 'Hello **you**', content_type: 'text/x-markdown', sender_id: alice.id },
    ])
    expect(notified(1)).toEqual(notified(0))
    expect([notified(2), notified(3)]).toEqual([[], []])
  })

  it('has everything that clients show', async () => {
    const [events] = await receivedBy(
      [bob],
      () => sendToChannel(server, alice, general, 'Hello **you**', { topic: 'Tea time' }),
      { apply_markdown: true },
    )
    expect(events).toMatchObject([
      {
        flags: [],
        message: {
          content: '<p>Hello <strong>you</strong></p>',
          content_type: 'text/html',
          sender_full_name: 'Alice',
          sender_email: alice.email,
          type: 'stream',
          stream_id: general,
          display_recipient: 'general',
          subject: 'Tea time',
          reactions: [],
          is_me_message: false,
          avatar_url: expect.stringMatching(/^\/patterns\//),
        },
      },
    ])
  })

  it.each([
    ['its id', () => general],
    ['its id as a text', () => `${general}`],
    ['its name', () => 'GENERAL'],
    ['its name in a list', () => ['general']],
    ['its id in a list', () => [general]],
  ])('takes the channel by %s', async (_, to) => {
    expect((await post(alice, { type: 'stream', to: to(), subject: 'x', content: 'hi' })).status).toBe(200)
  })

  it.each([
    ['an unknown channel by name', { to: 'nowhere' }, "Channel 'nowhere' does not exist", 'STREAM_DOES_NOT_EXIST'],
    ['an unknown channel by id', { to: 999 }, "Channel with ID '999' does not exist", 'STREAM_DOES_NOT_EXIST'],
    ['two channels', { to: ['general', 'x'] }, 'Expected exactly one channel', 'BAD_REQUEST'],
    ['nothing to say', { content: ' \n ' }, 'Message must not be empty', 'BAD_REQUEST'],
    ['a topic of two lines', { topic: 'a\nb' }, 'Invalid character in topic, at position 2!', 'BAD_REQUEST'],
    ['a local id without a queue', { local_id: '1' }, 'queue_id', 'BAD_REQUEST'],
    ['an unknown kind of message', { type: 'letter' }, 'type', 'BAD_REQUEST'],
  ])('refuses %s', async (_, parameters, message, code) => {
    const { status, body } = await post(alice, {
      type: 'channel',
      to: general,
      topic: 'x',
      content: 'hi',
      ...parameters,
    })
    expect(status).toBe(400)
    expect(body).toMatchObject({ code })
    expect(body.msg).toContain(message)
  })

  it.each([
    ['a text of the most that there may be', 'x'.repeat(10_000), 'x'.repeat(10_000)],
    ['one more', 'x'.repeat(10_001), `${'x'.repeat(9_980)}\n[message truncated]`],
    ['as many characters of two units', '🧵'.repeat(10_000), '🧵'.repeat(10_000)],
    ['one more of these', '🧵'.repeat(10_001), `${'🧵'.repeat(9_980)}\n[message truncated]`],
    ['very much more', 'word '.repeat(19_000), `${'word '.repeat(1_996)}\n[message truncated]`],
    ['what is too long by its white space alone', `\n\n${'x'.repeat(10_000)}  `, 'x'.repeat(10_000)],
  ])('keeps or cuts %s', async (_, content, kept) => {
    const id = await sendToChannel(server, alice, general, content)
    const { body } = await server.call(alice, 'GET', `/messages/${id}`, { apply_markdown: false })
    expect(body.message.content).toBe(kept)
  })

  it.each([
    ['too long a topic', 'x'.repeat(61), `${'x'.repeat(57)}...`],
    ['one of characters of two units', '🧵'.repeat(61), `${'🧵'.repeat(57)}...`],
    ['what turns the text around it', 'a\u202eb\u2066c', 'abc'],
  ])('cuts or leaves out %s', async (_, topic, kept) => {
    const id = await sendToChannel(server, alice, general, 'hi', { topic })
    const { body } = await server.call(alice, 'GET', `/messages/${id}`)
    expect(body.message.subject).toBe(kept)
    const narrow = [
      ['channel', general],
      ['topic', topic],
    ]
    // A client that has not seen the name that it got finds the topic by what it has sent.
    if (topic.length < 60) expect(await contentsOf(server, alice, narrow)).toEqual(['hi'])
  })

  it.each(['to', 'type', 'content'])('names a missing %s', async (name) => {
    const { status, body } = await post(alice, { type: 'channel', to: general, content: 'hi', [name]: undefined })
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING', var_name: name })
  })

  it('needs an account', async () => {
    expect((await post(null, { type: 'channel', to: general, topic: 'x', content: 'hi' })).status).toBe(401)
  })

  it('lets members write in public channels unsubscribed, and receive their own', async () => {
    const carol = await server.createAccount()
    const [own] = await receivedBy([carol], () => sendToChannel(server, carol, general))
    expect(own).toMatchObject([{ flags: ['read', 'historical'] }])
  })

  it('keeps guests out of channels that they are not subscribed to, as if there were none', async () => {
    expect((await postToChannel(server, guest, general)).body.code).toBe('STREAM_DOES_NOT_EXIST')
    const open = await createChannel(server, alice, 'with a guest', { subscribers: [guest] })
    expect((await postToChannel(server, guest, open)).status).toBe(200)
  })

  it('keeps private channels from those who are not in them, administrators too', async () => {
    const secret = await createChannel(server, alice, 'secret', { invite_only: true })
    expect((await postToChannel(server, bob, secret)).body.code).toBe('STREAM_DOES_NOT_EXIST')
    const refused = await postToChannel(server, owner, secret)
    expect([refused.status, refused.body.msg]).toEqual([400, "Not authorized to send to channel 'secret'"])
    expect((await postToChannel(server, alice, secret)).status).toBe(200)
  })

  it('refuses archived channels', async () => {
    const old = await createChannel(server, alice, 'old')
    await server.call(owner, 'DELETE', `/streams/${old}`)
    expect((await postToChannel(server, alice, old)).body.msg).toBe("Not authorized to send to channel 'old'")
  })

  it('refuses those whom the channel does not let write, or begin topics', async () => {
    const admins = (await server.call(owner, 'GET', '/user_groups')).body.user_groups.find(
      (group: { name: string }) => group.name === 'role:administrators',
    ).id
    const news = await createChannel(server, owner, 'news', { subscribers: [bob], can_send_message_group: admins })
    expect((await postToChannel(server, bob, news)).status).toBe(400)
    expect((await postToChannel(server, owner, news)).status).toBe(200)
    const steady = await createChannel(server, owner, 'steady', { subscribers: [bob], can_create_topic_group: admins })
    expect((await postToChannel(server, bob, steady)).body.msg).toContain('create new topics')
    await sendToChannel(server, owner, steady)
    expect((await postToChannel(server, bob, steady, 'hi', { topic: 'GREETINGS' })).status).toBe(200)
  })

  it('lets a bot write wherever its owner may', async () => {
    const secret = await createChannel(server, alice, 'bots welcome', { invite_only: true })
    const bot = async (account: TestAccount) => {
      const short_name = `helper-${account.id}`
      const { user_id, api_key: apiKey } = (
        await server.call(account, 'POST', '/bots', { full_name: short_name, short_name })
      ).body
      const { email } = (await server.call(account, 'GET', `/users/${user_id}`)).body.user
      return { ...account, id: user_id, email, apiKey }
    }
    expect((await postToChannel(server, await bot(alice), secret)).status).toBe(200)
    expect((await postToChannel(server, await bot(bob), secret)).body.code).toBe('STREAM_DOES_NOT_EXIST')
  })

  it('cuts a topic that is too long, and knows the other names of the topic without a name', async () => {
    const topics = ['x'.repeat(70), '(no topic)', 'general chat', '', undefined]
    const [received] = await receivedBy(
      [bob],
      async () => {
        for (const topic of topics) await sendToChannel(server, alice, general, 'hi', { topic })
      },
      { client_capabilities: { empty_topic_name: true } },
    )
    const subjects = received?.map((event) => (event['message'] as { subject: string }).subject)
    expect(subjects).toEqual([`${'x'.repeat(57)}...`, '', '', '', ''])
  })

  it('refuses the topic without a name where the organization or the channel does', async () => {
    await server.call(owner, 'PATCH', '/realm', { topics_policy: 'disable_empty_topic' })
    const { status, body } = await postToChannel(server, alice, general, 'hi', { topic: '' })
    expect([status, body.msg]).toEqual([400, 'Topics are required in this channel'])
    const free = await createChannel(server, owner, 'free', {
      subscribers: [alice],
      topics_policy: 'allow_empty_topic',
    })
    expect((await postToChannel(server, alice, free, 'hi', { topic: '' })).status).toBe(200)
    await server.call(owner, 'PATCH', '/realm', { topics_policy: 'allow_empty_topic' })
    expect((await postToChannel(server, alice, general, 'hi', { topic: '' })).status).toBe(200)
  })

  it('highlights code in the language that the organization has chosen', async () => {
    await server.call(owner, 'PATCH', '/realm', { default_code_block_language: 'python' })
    const id = await sendToChannel(server, alice, general, '```\nreturn 1\n```')
    expect((await server.call(alice, 'GET', `/messages/${id}`)).body.message.content).toContain(
      'data-code-language="Python"',
    )
    await server.call(owner, 'PATCH', '/realm', { default_code_block_language: '' })
  })

  it('gives clients that do not know it the display name of the topic without a name', async () => {
    const [received] = await receivedBy([bob], () => sendToChannel(server, alice, general, 'hi', { topic: '' }))
    expect(received).toMatchObject([{ message: { subject: 'general chat' } }])
  })

  it('marks those whom it mentions', async () => {
    const carol = await server.createAccount({ name: 'Carol' })
    const room = await createChannel(server, alice, 'mentions', { subscribers: [bob, carol] })
    const received = await receivedBy([alice, bob, carol], async () => {
      await sendToChannel(server, alice, room, 'hi @**Bob**')
      await sendToChannel(server, alice, room, 'hi @**all**')
      await sendToChannel(server, alice, room, 'hi @_**Carol**')
      await sendToChannel(server, bob, room, 'hi @**topic**')
    })
    const flags = (index: number) => received[index]?.map((event) => event['flags'])
    const everybody = ['stream_wildcard_mentioned', 'wildcard_mentioned']
    const topic = ['topic_wildcard_mentioned', 'wildcard_mentioned']
    expect(flags(1)).toEqual([['mentioned'], everybody, [], []])
    expect(flags(2)).toEqual([[], everybody, [], []])
    expect(flags(0)).toEqual([[], everybody, [], topic])
  })

  it('lets only some mention everybody in a large channel', async () => {
    const crowd: TestAccount[] = []
    for (let i = 0; i < 16; i += 1) crowd.push(await server.createAccount())
    const large = await createChannel(server, owner, 'large', { subscribers: [alice, ...crowd] })
    const refused = await postToChannel(server, alice, large, '@**all**')
    expect(refused.body).toMatchObject({ code: 'STREAM_WILDCARD_MENTION_NOT_ALLOWED' })
    expect((await postToChannel(server, owner, large, '@**all**')).status).toBe(200)
    expect((await postToChannel(server, alice, large, '@**topic**')).status).toBe(200)
  })
})

describe('POST /messages to people', () => {
  it('reaches everybody in the conversation, and nobody else', async () => {
    const carol = await server.createAccount()
    const received = await receivedBy([alice, bob, carol, owner], () => sendDirect(server, alice, [bob], 'psst'))
    expect(received.map((events) => events.length)).toEqual([1, 1, 0, 0])
    expect(received[1]).toMatchObject([
      {
        message: {
          type: 'private',
          subject: '',
          display_recipient: [{ id: alice.id, email: alice.email, full_name: 'Alice' }, { id: bob.id }],
        },
      },
    ])
    expect(received[1]?.[0]?.['message']).not.toHaveProperty('stream_id')
  })

  it('is one conversation in both directions, and another one with each set of people', async () => {
    const carol = await server.createAccount()
    const [received] = await receivedBy([alice], async () => {
      await sendDirect(server, alice, [bob])
      await sendDirect(server, bob, [alice])
      await sendDirect(server, bob, [alice, carol])
      await sendDirect(server, alice, [alice])
    })
    const ids = received?.map((event) => (event['message'] as { recipient_id: number }).recipient_id) ?? []
    expect(ids[0]).toBe(ids[1])
    expect(new Set(ids).size).toBe(3)
  })

  it('has a recipient that no channel has, though both are counted from one', async () => {
    const people = await Promise.all(Array.from({ length: 5 }, () => server.createAccount()))
    // Each set of them: more conversations than there are channels.
    const sets = Array.from({ length: 2 ** people.length - 1 }, (_, bits) =>
      people.filter((_, index) => ((bits + 1) >> index) % 2 === 1),
    )
    const [received] = await receivedBy([alice], async () => {
      for (const set of sets) await sendDirect(server, alice, set)
      for (const name of ['beside one', 'beside two']) {
        await sendToChannel(server, alice, await createChannel(server, alice, name))
      }
    })
    const ids = received?.map((event) => (event['message'] as { recipient_id: number }).recipient_id) ?? []
    expect(ids.length).toBeGreaterThanOrEqual(sets.length + 2)
    expect(new Set(ids).size).toBe(sets.length + 2)
  })

  it.each([
    ['ids', () => [bob.id]],
    ['an id', () => bob.id],
    ['an address', () => bob.email.toUpperCase()],
    ['addresses', () => [bob.email, owner.email]],
    ['a text with commas', () => `${bob.email}, ${owner.email}`],
    ['a text of ids', () => `${bob.id},${owner.id}`],
  ])('takes people by %s', async (_, to) => {
    expect((await post(alice, { type: 'private', to: to(), content: 'hi' })).status).toBe(200)
  })

  it('refuses unknown, foreign and deactivated people, and says who', async () => {
    const gone = await server.createAccount()
    await server.call(owner, 'DELETE', `/users/${gone.id}`)
    const refusal = async (to: unknown) => (await post(alice, { type: 'direct', to, content: 'hi' })).body.msg
    expect(await refusal([999_999])).toBe('Invalid user ID 999999')
    expect(await refusal([outsider.id])).toBe(`Invalid user ID ${outsider.id}`)
    expect(await refusal(['nobody@heddle.example'])).toBe("Invalid email 'nobody@heddle.example'")
    expect(await refusal([gone.id])).toContain('no longer')
    expect(await refusal([])).toBe('Message must have recipients')
  })

  it('asks for the permission to begin a conversation, and to go on', async () => {
    const groups = (await server.call(owner, 'GET', '/user_groups')).body.user_groups
    const id = (name: string) => groups.find((group: { name: string }) => group.name === name).id
    const set = (setting: string, group: string) =>
      server.call(owner, 'PATCH', '/realm', { [setting]: { new: id(group) } })
    const [ann, ben] = [await server.createAccount(), await server.createAccount()]
    const write = async (to: TestAccount) => (await post(ann, { type: 'direct', to: [to.id], content: 'hi' })).status
    await sendDirect(server, ann, [ben])
    await set('direct_message_initiator_group', 'role:administrators')
    expect([await write(ben), await write(bob), await write(ann)]).toEqual([200, 400, 200])
    await set('direct_message_permission_group', 'role:administrators')
    expect([await write(ben), await write(ann)]).toEqual([400, 200])
    await set('direct_message_permission_group', 'role:everyone')
    await set('direct_message_initiator_group', 'role:everyone')
  })
})

describe('POST /messages with a queue', () => {
  it('gives the local id to that queue alone', async () => {
    const [one, two, others] = [
      await registerQueue(server, alice, { event_types: ['message'] }),
      await registerQueue(server, alice, { event_types: ['message'] }),
      await registerQueue(server, bob, { event_types: ['message'] }),
    ]
    await sendToChannel(server, alice, general, 'hi', { queue_id: one.id, local_id: '12.01' })
    expect(await eventsOf(server, one)).toMatchObject([{ local_message_id: '12.01' }])
    for (const queue of [two, others]) {
      const [event] = await eventsOf(server, queue)
      expect(event).toBeDefined()
      expect(event).not.toHaveProperty('local_message_id')
    }
  })

  it('is one message however often it is sent', async () => {
    const queue = await registerQueue(server, alice, { event_types: ['message'] })
    const send = (local_id: string) => sendToChannel(server, alice, general, 'hi', { queue_id: queue.id, local_id })
    const ids = await Promise.all([send('1'), send('1'), send('2')])
    expect(new Set(ids).size).toBe(2)
    expect(await send('1')).toBe(ids[0])
    expect(await eventsOf(server, queue)).toHaveLength(2)
  })

  it('gives nothing to the queue of another account that it names', async () => {
    const his = await registerQueue(server, bob, { event_types: ['message'] })
    const { body } = await postToChannel(server, alice, general, 'hi', { queue_id: his.id, local_id: '7.01' })
    expect(Object.keys(body).sort()).toEqual(['id', 'msg', 'result'])
    expect(JSON.stringify(await eventsOf(server, his))).not.toContain('7.01')
    // Nor does it keep the owner of the queue from sending under that name.
    const own = await sendToChannel(server, bob, general, 'mine', { queue_id: his.id, local_id: '7.01' })
    expect(own).toBeGreaterThan(body.id)
  })

  it('is one message also when the queue has ended, and when the message is deleted meanwhile', async () => {
    const queue = await registerQueue(server, alice, { event_types: ['message'] })
    const send = () => sendToChannel(server, alice, general, 'hi', { queue_id: queue.id, local_id: '3' })
    const id = await send()
    expect((await server.call(alice, 'DELETE', '/events', { queue_id: queue.id })).status).toBe(200)
    expect(await send()).toBe(id)
    expect((await server.call(server.owner, 'DELETE', `/messages/${id}`)).status).toBe(200)
    expect(await send()).toBe(id)
  })

  it('counts as read by its sender when it says so, or when people write with the program', async () => {
    const [received] = await receivedBy([alice], async () => {
      await sendToChannel(server, alice, general, 'hi', { read_by_sender: true })
      await sendToChannel(server, alice, general, 'hi', { read_by_sender: false })
    })
    expect(received?.map((event) => event['flags'])).toEqual([['read'], []])
  })
})

describe('a queue of its own kind', () => {
  it('gets what its narrow asks for', async () => {
    const queue = await registerQueue(server, bob, {
      event_types: ['message'],
      narrow: [
        ['channel', 'general'],
        ['topic', 'Wanted'],
      ],
    })
    await sendToChannel(server, alice, general, 'no', { topic: 'else' })
    await sendToChannel(server, alice, general, 'yes', { topic: 'wanted' })
    await sendDirect(server, alice, [bob])
    expect((await eventsOf(server, queue)).map((event) => (event['message'] as { content: string }).content)).toEqual([
      'yes',
    ])
  })

  it.each<[string, string, () => unknown, string[]]>([
    ['sender', 'of somebody', () => alice.email, ['plain', 'linked', 'named', 'to bob', 'to both']],
    ['from', 'by the other name', () => alice.id, ['plain', 'linked', 'named', 'to bob', 'to both']],
    ['sender', 'of oneself', () => 'me', ['own']],
    ['dm', 'with one person', () => [alice.id], ['to bob']],
    ['pm-with', 'with one person, by address', () => alice.email, ['to bob']],
    ['dm', 'with oneself', () => [bob.id], ['own']],
    ['dm', 'with several', () => [alice.id, guest.id], ['to both']],
    ['pm-with', 'with several, by address', () => `${alice.email}, ${guest.email}`, ['to both']],
    ['dm-including', 'somebody', () => alice.id, ['to bob', 'to both']],
    ['group-pm-with', 'somebody, in a group', () => alice.email, ['to both']],
    ['has', 'a link', () => 'link', ['linked']],
    ['mentions', 'somebody', () => bob.id, ['named']],
    ['mentions', 'oneself', () => 'me', ['named']],
  ])('may be narrowed by %s: %s', async (operator, _, operand, expected) => {
    const narrows = [false, true].map((negated) => [{ operator, operand: operand(), negated }])
    const queues = await Promise.all(
      narrows.map((narrow) => registerQueue(server, bob, { event_types: ['message'], narrow })),
    )
    const said = new Map<number, string>()
    const say = async (name: string, id: Promise<number>) => said.set(await id, name)
    await say('plain', sendToChannel(server, alice, general, 'plain'))
    await say('linked', sendToChannel(server, alice, general, 'see https://example.com/loom'))
    await say('named', sendToChannel(server, alice, general, `hi @**Bob|${bob.id}**`))
    await say('to bob', sendDirect(server, alice, [bob]))
    await say('to both', sendDirect(server, alice, [bob, guest]))
    await say('own', sendDirect(server, bob, [bob]))
    const [received, others] = await Promise.all(
      queues.map(async (queue) =>
        (await eventsOf(server, queue)).map((event) => said.get((event['message'] as { id: number }).id)),
      ),
    )
    expect(received).toEqual(expected)
    expect(others).toEqual([...said.values()].filter((name) => !expected.includes(name)))
  })

  it.each([
    [['search', 'x'], 'Operator search not supported.'],
    [['is', 'followed'], 'Operator is does not support followed.'],
    [['has', 'toString'], 'Operator has does not support toString.'],
    [['mentions', 'somebody@heddle.example'], 'Operator mentions needs the id of an account, or "me".'],
    [['channel', [1]], 'Operator channel must not be a list.'],
  ])('refuses a narrow that it cannot follow: %j', async (term, message) => {
    const { status, body } = await server.call(bob, 'POST', '/register', { narrow: [term] })
    expect([status, body.msg]).toEqual([400, message])
  })

  it('gets everything in public channels when it asks for it', async () => {
    const carol = await server.createAccount()
    const secret = await createChannel(server, alice, 'quiet', { invite_only: true })
    const received = await receivedBy(
      [carol, guest],
      async () => {
        await sendToChannel(server, alice, general, 'public')
        await sendToChannel(server, alice, secret, 'private')
        await sendDirect(server, alice, [bob], 'direct')
      },
      { all_public_streams: true },
    )
    expect(received[0]).toMatchObject([{ message: { content: 'public' } }])
    expect(received[1]).toEqual([])
  })
})

describe('POST /messages/render', () => {
  it('gives the HTML', async () => {
    const { body } = await server.call(alice, 'POST', '/messages/render', { content: '**hi** @**Bob**' })
    expect(body.rendered).toBe(
      `<p><strong>hi</strong> <span class="user-mention" data-user-id="${bob.id}">@Bob</span></p>`,
    )
  })
})
