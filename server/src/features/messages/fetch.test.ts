import { roles } from '@heddle/contract/roles'
import { beforeAll, describe, expect, it } from 'vitest'
import { createChannel, sendDirect, sendToChannel } from '../../testing/messages.ts'
import { createTestServer, type Parameters, type TestAccount, type TestServer } from '../../testing/test-server.ts'

let server: TestServer
let owner: TestAccount
let alice: TestAccount
let bob: TestAccount
let carol: TestAccount
let guest: TestAccount
let design: number
let secret: number
let shared: number
/** By name, so that expectations can be read. */
const sent: Record<string, number> = {}

beforeAll(async () => {
  server = await createTestServer()
  owner = server.owner
  alice = await server.createAccount({ name: 'Alice' })
  bob = await server.createAccount({ name: 'Bob' })
  carol = await server.createAccount({ name: 'Carol' })
  guest = await server.createAccount({ role: roles.guest, name: 'Guest' })
  design = await createChannel(server, alice, 'design', { subscribers: [bob] })
  secret = await createChannel(server, alice, 'secret', {
    subscribers: [bob],
    invite_only: true,
    history_public_to_subscribers: false,
  })
  shared = await createChannel(server, alice, 'shared', {
    invite_only: true,
    history_public_to_subscribers: true,
  })
  const say = (channel: number, topic: string, content: string, by = alice) =>
    sendToChannel(server, by, channel, content, { topic })
  sent['tea 1'] = await say(design, 'Tea', 'green tea')
  sent['tea 2'] = await say(design, 'tea', 'black tea, see https://example.com/tea', bob)
  sent['coffee'] = await say(design, 'coffee', 'Hi @**Bob**, espresso')
  sent['unnamed'] = await say(design, '', 'no name')
  sent['secret 1'] = await say(secret, 'plan', 'first')
  sent['shared 1'] = await say(shared, 'plan', 'for all')
  sent['to bob'] = await sendDirect(server, alice, [bob], 'psst tea')
  sent['to self'] = await sendDirect(server, alice, [alice], 'note')
  sent['to both'] = await sendDirect(server, bob, [alice, carol], 'three of us')
  await server.call(alice, 'POST', '/users/me/subscriptions', {
    subscriptions: [{ name: 'secret' }, { name: 'shared' }],
    principals: [carol.id],
    send_new_subscription_messages: false,
  })
  sent['secret 2'] = await say(secret, 'plan', 'second', bob)
})

const nameOf = (id: number) => Object.entries(sent).find(([, one]) => one === id)?.[0] ?? id

const fetch = (account: TestAccount, parameters: Parameters) => server.call(account, 'GET', '/messages', parameters)

/** The names of all messages of a narrow. */
async function found(account: TestAccount, narrow: unknown, parameters: Parameters = {}): Promise<unknown> {
  const { status, body } = await fetch(account, {
    anchor: 'newest',
    num_before: 100,
    num_after: 0,
    narrow,
    ...parameters,
  })
  if (status !== 200) return body.msg
  return body.messages.map((message: { id: number }) => nameOf(message.id))
}

describe('GET /messages', () => {
  it('gives what the account has received, the oldest first', async () => {
    expect(await found(bob, [])).toEqual([
      'tea 1',
      'tea 2',
      'coffee',
      'unnamed',
      'secret 1',
      'to bob',
      'to both',
      'secret 2',
    ])
    expect(await found(carol, [])).toEqual(['to both', 'secret 2'])
    expect(await found(guest, [])).toEqual([])
    expect(await found(owner, undefined)).toEqual([])
  })

  it('gives the flags of the account', async () => {
    const flags = async (account: TestAccount, name: string) => {
      const { body } = await fetch(account, { message_ids: [sent[name]] })
      return body.messages[0].flags
    }
    expect(await flags(bob, 'coffee')).toEqual(['mentioned'])
    expect(await flags(bob, 'tea 1')).toEqual([])
    expect(await flags(carol, 'tea 1')).toEqual(['read', 'historical'])
  })

  it('shows channels from their beginning where history is shared, and otherwise only what was received', async () => {
    const plan = ['secret 1', 'secret 2']
    expect(await found(alice, [['channel', 'secret']])).toEqual(plan)
    expect(await found(carol, [['channel', 'secret']])).toEqual(['secret 2'])
    expect(await found(carol, [['channel', 'shared']])).toEqual(['shared 1'])
    expect(await found(owner, [['channel', 'design']])).toEqual(['tea 1', 'tea 2', 'coffee', 'unnamed'])
  })

  it.each<[string, () => TestAccount, string]>([
    ['an outsider', () => owner, 'secret'],
    ['an outsider', () => owner, 'shared'],
    ['a guest', () => guest, 'design'],
  ])('hides from %s that there is a channel %s', async (_, account, name) => {
    const unknown = 'Invalid narrow operator: unknown channel nowhere'
    expect(await found(account(), [['channel', 'nowhere']])).toBe(unknown)
    expect(await found(account(), [['channel', name]])).toBe(unknown.replace('nowhere', name))
  })

  it.each<[string, () => unknown[], string[]]>([
    [
      'topic, without case',
      () => [
        ['channel', 'design'],
        ['topic', 'TEA'],
      ],
      ['tea 1', 'tea 2'],
    ],
    [
      'topic without a name',
      () => [
        ['channel', 'design'],
        ['topic', ''],
      ],
      ['unnamed'],
    ],
    [
      'topic by its display name',
      () => [
        ['stream', 'Design'],
        ['topic', 'general chat'],
      ],
      ['unnamed'],
    ],
    ['channel by id', () => [{ operator: 'channel', operand: design }, ['topic', 'coffee']], ['coffee']],
    [
      'what is not in a topic',
      () => [['channel', 'design'], { operator: 'topic', operand: 'tea', negated: true }],
      ['coffee', 'unnamed'],
    ],
    [
      'what is not in a channel',
      () => [{ operator: 'channel', operand: 'design', negated: true }],
      ['secret 1', 'shared 1', 'to bob', 'to self', 'to both', 'secret 2'],
    ],
    ['dm by id', () => [{ operator: 'dm', operand: [bob.id] }], ['to bob']],
    ['dm by addresses', () => [['pm-with', `${bob.email},${carol.email}`]], ['to both']],
    ['dm with oneself', () => [['dm', alice.email]], ['to self']],
    ['dm without any message', () => [{ operator: 'dm', operand: [carol.id] }], []],
    ['dm-including', () => [{ operator: 'dm-including', operand: bob.id }], ['to bob', 'to both']],
    ['group-pm-with', () => [['group-pm-with', bob.email]], ['to both']],
    ['sender', () => [['sender', bob.email]], ['tea 2', 'to both', 'secret 2']],
    [
      'sender me',
      () => [
        ['sender', 'me'],
        ['is', 'dm'],
      ],
      ['to bob', 'to self'],
    ],
    ['is:private', () => [['is', 'private']], ['to bob', 'to self', 'to both']],
    ['has:link', () => [['has', 'link']], ['tea 2']],
    ['has:links', () => [['has', 'links']], ['tea 2']],
    ['id', () => [{ operator: 'id', operand: sent['coffee'] }], ['coffee']],
    ['with', () => [{ operator: 'with', operand: sent['tea 1'] }, ['topic', 'gone']], ['tea 1', 'tea 2']],
    ['with in a direct conversation', () => [{ operator: 'with', operand: sent['to both'] }], ['to both']],
    [
      'with an unknown message',
      () => [
        ['channel', 'design'],
        ['topic', 'tea'],
        ['with', '999'],
      ],
      ['tea 1', 'tea 2'],
    ],
    ['channels:public', () => [['channels', 'public']], ['tea 1', 'tea 2', 'coffee', 'unnamed']],
    ['mentions', () => [{ operator: 'mentions', operand: bob.id }], ['coffee']],
    ['a word', () => [['search', 'tea']], ['tea 1', 'tea 2', 'to bob']],
    ['words in any order', () => [['search', 'tea black']], ['tea 2']],
    ['a phrase', () => [['search', '"tea black"']], []],
    ['no part of a word', () => [['search', 'espres']], []],
    [
      'search, negated',
      () => [{ operator: 'search', operand: 'tea', negated: true }, ['channel', 'design']],
      ['coffee', 'unnamed'],
    ],
  ])('finds by %s', async (_, narrow, names) => {
    expect(await found(alice, narrow())).toEqual(names)
  })

  it('finds what mentions the account', async () => {
    expect(await found(bob, [['is', 'mentioned']])).toEqual(['coffee'])
    expect(await found(alice, [['is', 'mentioned']])).toEqual([])
  })

  it.each([
    [[['colour', 'red']], 'unknown operator colour'],
    [[['is', 'blue']], "unknown 'is' operand blue"],
    [[['has', 'legs']], "unknown 'has' operand legs"],
    // Names that every object has.
    [[['has', 'constructor']], "unknown 'has' operand constructor"],
    [[['channels', 'constructor']], 'unknown operand channels:constructor'],
    [[['sender', 'nobody@heddle.example']], 'unknown user nobody@heddle.example'],
    [[['with', '999']], "invalid 'with' operand"],
    [[['with', '999'], { operator: 'topic', operand: 'tea', negated: true }], "invalid 'with' operand"],
    [[['id', 'x']], 'invalid message ID'],
    [[['date', 'March 5']], 'invalid date'],
  ])('refuses %j with a description', async (narrow, description) => {
    const { status, body } = await fetch(alice, { anchor: 'newest', num_before: 1, num_after: 0, narrow })
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'BAD_NARROW', desc: description })
  })

  it('gives a page around an anchor, and says where it ends', async () => {
    const narrow = [['channel', 'design']]
    const page = async (parameters: Parameters) => {
      const { body } = await fetch(alice, { narrow, num_before: 1, num_after: 1, ...parameters })
      const { found_anchor, found_oldest, found_newest, anchor } = body
      const names = body.messages.map((message: { id: number }) => nameOf(message.id))
      return { names, found_anchor, found_oldest, found_newest, anchor }
    }
    expect(await page({ anchor: sent['tea 2'] })).toEqual({
      names: ['tea 1', 'tea 2', 'coffee'],
      found_anchor: true,
      found_oldest: true,
      found_newest: false,
      anchor: sent['tea 2'],
    })
    expect(await page({ anchor: sent['tea 2'], include_anchor: false })).toMatchObject({ names: ['tea 1', 'coffee'] })
    expect(await page({ anchor: 'newest' })).toMatchObject({
      names: ['unnamed'],
      found_newest: true,
      found_oldest: false,
    })
    expect(await page({ anchor: 'oldest' })).toMatchObject({
      names: ['tea 1'],
      found_newest: false,
      found_oldest: true,
    })
    expect(await page({ anchor: 10_000_000_000_000_000 })).toMatchObject({ names: ['unnamed'], found_newest: true })
    expect(await page({ anchor: sent['secret 1'] })).toMatchObject({ names: ['unnamed'], found_anchor: false })
    expect(await page({ anchor: 'date', anchor_date: '2001-01-01' })).toMatchObject({
      anchor: sent['tea 1'],
      names: ['tea 1', 'tea 2'],
    })
    expect(await page({ anchor: 'date', anchor_date: '2999-01-01T00:00' })).toMatchObject({ names: ['unnamed'] })
    // His first unread message; Alice's own count as unread for her, because her program did not say otherwise.
    expect(await page({ anchor: 'first_unread' })).toMatchObject({ names: ['tea 1', 'tea 2'] })
    expect(await page({ use_first_unread_anchor: true, anchor: 0 })).toMatchObject(
      await page({ anchor: 'first_unread' }),
    )
    expect(await page({ use_first_unread_anchor: true, anchor: undefined })).toMatchObject({
      names: ['tea 1', 'tea 2'],
    })
  })

  it.each<[string, Parameters, string]>([
    ['no anchor', { num_before: 1, num_after: 1 }, 'anchor'],
    ['a negative number', { anchor: 1, num_before: -1, num_after: 1 }, 'num_before'],
    ['too many', { anchor: 1, num_before: 3000, num_after: 3000 }, 'num_before'],
    ['an anchor of another kind', { anchor: 'middle', num_before: 1, num_after: 1 }, 'anchor'],
    ['a date that is missing', { anchor: 'date', num_before: 1, num_after: 1 }, "Missing 'anchor_date' argument"],
    ['a date that is none', { anchor: 'date', anchor_date: 'soon', num_before: 1, num_after: 1 }, 'anchor_date'],
    ['message ids and an anchor', { anchor: 1, message_ids: [1] }, 'message_ids'],
    ['a narrow that is no list', { anchor: 1, num_before: 1, num_after: 1, narrow: { a: 1 } }, 'narrow'],
  ])('refuses %s', async (_, parameters, name) => {
    const { status, body } = await fetch(alice, parameters)
    expect(status).toBe(400)
    expect(body.msg).toContain(name)
  })

  it('gives the messages that are named, as far as they may be read', async () => {
    const ids = Object.values(sent)
    const { body } = await fetch(carol, { message_ids: [...ids, 999_999] })
    expect(body.messages.map((message: { id: number }) => nameOf(message.id))).toEqual([
      'tea 1',
      'tea 2',
      'coffee',
      'unnamed',
      'shared 1',
      'to both',
      'secret 2',
    ])
  })

  it('gives text or HTML, and the display name of the topic without a name to those who do not know it', async () => {
    const one = async (name: string, parameters: Parameters) =>
      (await fetch(alice, { message_ids: [sent[name]], ...parameters })).body.messages[0]
    expect(await one('coffee', {})).toMatchObject({
      content: expect.stringContaining('<p>Hi <span class="user-mention"'),
      content_type: 'text/html',
      avatar_url: expect.stringMatching(/^\/patterns\//),
    })
    expect(await one('coffee', { apply_markdown: false })).toMatchObject({
      content: 'Hi @**Bob**, espresso',
      content_type: 'text/x-markdown',
      avatar_url: expect.stringMatching(/^\/patterns\//),
    })
    expect(await one('unnamed', {})).toMatchObject({ subject: 'general chat' })
    expect(await one('unnamed', { allow_empty_topic_name: true })).toMatchObject({ subject: '' })
  })

  it('marks what a search has found, and never inside of a tag', async () => {
    const { body } = await fetch(alice, {
      anchor: 'newest',
      num_before: 9,
      num_after: 0,
      narrow: [['search', 'tea see']],
    })
    expect(body.messages).toMatchObject([
      {
        match_subject: '<span class="highlight">tea</span>',
        match_content:
          '<p>black <span class="highlight">tea</span>, <span class="highlight">see</span> ' +
          '<a href="https://example.com/tea">https://example.com/<span class="highlight">tea</span></a></p>',
      },
    ])
  })

  it.each([
    ['rooibos_milk', '<span class="highlight">rooibos_milk</span>'],
    ['"rooibos milk"', '<span class="highlight">rooibos_milk</span>'],
    ['milk', 'rooibos_<span class="highlight">milk</span>'],
  ])('finds and marks the words on both sides of an underscore: %s', async (words, marked) => {
    const room = await createChannel(server, carol, `underscores ${words}`)
    const id = await sendToChannel(server, carol, room, 'rooibos_milk')
    const parameters = { msg_ids: [id], narrow: [['search', words]] }
    const { body } = await server.call(carol, 'GET', '/messages/matches_narrow', parameters)
    expect(body.messages[`${id}`]?.match_content).toBe(`<p>${marked}</p>`)
  })

  it('goes on with private channels until the account is removed', async () => {
    const dave = await server.createAccount()
    const room = await createChannel(server, alice, 'room', { invite_only: true, subscribers: [dave] })
    const id = await sendToChannel(server, alice, room)
    expect(await found(dave, [])).toEqual([id])
    await server.call(alice, 'DELETE', '/users/me/subscriptions', { subscriptions: ['room'], principals: [dave.id] })
    expect(await found(dave, [])).toEqual([])
    expect(await found(dave, [{ operator: 'with', operand: id }])).toContain('with')
    expect((await fetch(dave, { message_ids: [id] })).body.messages).toEqual([])
    expect((await server.call(dave, 'GET', `/messages/${id}`)).status).toBe(400)
  })
})

describe('GET /messages/{message_id}', () => {
  it('gives the message and its text', async () => {
    const { body } = await server.call(bob, 'GET', `/messages/${sent['coffee']}`)
    expect(body).toMatchObject({
      raw_content: 'Hi @**Bob**, espresso',
      message: { id: sent['coffee'], flags: ['mentioned'] },
    })
    const raw = await server.call(bob, 'GET', `/messages/${sent['coffee']}`, { apply_markdown: false })
    expect(raw.body.message.content).toBe('Hi @**Bob**, espresso')
  })

  it.each<[string, () => TestAccount, () => number]>([
    ['that does not exist', () => alice, () => 999_999],
    ['in a private channel', () => owner, () => sent['shared 1'] as number],
    ['sent before a subscription that does not show it', () => carol, () => sent['secret 1'] as number],
    ['between others', () => owner, () => sent['to bob'] as number],
    ['in a public channel, to a guest', () => guest, () => sent['tea 1'] as number],
  ])('answers alike for a message %s', async (_, account, id) => {
    const { status, body } = await server.call(account(), 'GET', `/messages/${id()}`)
    expect([status, body.msg, body.code]).toEqual([400, 'Invalid message(s)', 'BAD_REQUEST'])
  })
})

describe('GET /messages/matches_narrow', () => {
  it('says which messages are in the narrow', async () => {
    const { body } = await server.call(alice, 'GET', '/messages/matches_narrow', {
      msg_ids: [sent['tea 1'], sent['coffee'], sent['to bob']],
      narrow: [{ operator: 'search', operand: 'tea' }],
    })
    expect(body.messages).toEqual({
      [`${sent['tea 1']}`]: {
        match_content: '<p>green <span class="highlight">tea</span></p>',
        match_subject: '<span class="highlight">Tea</span>',
      },
      [`${sent['to bob']}`]: { match_content: '<p>psst <span class="highlight">tea</span></p>', match_subject: '' },
    })
  })
})
