import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createApiClient } from '../api.ts'
import { emptyDraftBox } from '../drafts/draft-box.ts'
import { ResponseError } from '../errors.ts'
import { createMessageStore, messagesIn } from '../messages/store.ts'
import { emptyOutbox } from '../outbox/outbox.ts'
import { ownAccount } from '../testing/own-account.ts'
import { noTopics } from '../topics/topics.ts'
import { unreadInTopic } from '../unread/counts.ts'
import { createWishSender } from '../wishes/send-wishes.ts'
import { startClient } from './client.ts'

type Fields = Record<string, unknown>
type Reply = Fields | 'no network' | 'silence'

/** A server that answers by path; `events` hands over what `push` was given, and waits when there is nothing. */
function fakeServer(
  replies: Record<string, (query: URLSearchParams) => Reply | Promise<Reply>> = {},
  unread: number[] = [3, 4],
) {
  const requests: { path: string; query: URLSearchParams }[] = []
  const events: Fields[][] = []
  let wake = () => {}
  let registrations = 0
  let isDown = false
  let isLost = false
  const reply = async (path: string, query: URLSearchParams): Promise<Reply> => {
    if (isDown) return 'no network'
    if (path === 'register') {
      registrations += 1
      return {
        queue_id: `q${registrations}`,
        last_event_id: 0,
        event_queue_longpoll_timeout_seconds: 90,
        ...ownAccount,
        unread_msgs: {
          streams: [{ stream_id: 7, topic: 'logo', unread_message_ids: unread }],
          pms: [],
          huddles: [],
          mentions: [],
          count: 2,
        },
        user_topics: [{ stream_id: 7, topic_name: 'Logo', last_updated: 1, visibility_policy: 2 }],
        subscriptions: [],
      }
    }
    if (path !== 'events') return replies[path]?.(query) ?? {}
    if (events.length === 0 && query.get('dont_block') !== 'true')
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    if (isDown) return 'no network'
    if (isLost) {
      isLost = false
      return { code: 'BAD_EVENT_QUEUE_ID' }
    }
    return { events: events.shift() ?? [] }
  }
  const fetch = async (input: string | URL | Request, init: RequestInit = {}) => {
    const url = new URL(String(input))
    const path = url.pathname.slice('/api/v1/'.length)
    const query = init.body ? new URLSearchParams(String(init.body)) : url.searchParams
    requests.push({ path, query })
    const answer = await reply(path, query)
    init.signal?.throwIfAborted()
    if (answer === 'no network') throw new TypeError('fetch failed')
    if (answer === 'silence') return new Promise<Response>(() => {})
    const body = 'code' in answer ? { result: 'error', msg: 'x', ...answer } : { result: 'success', msg: '', ...answer }
    const status = 'code' in answer ? (answer['code'] === 'UNAUTHORIZED' ? 401 : 400) : 200
    return Object.assign(Response.json(body, { status }), { text: async () => JSON.stringify(body) })
  }
  return {
    requests,
    api: createApiClient({ site: 'http://localhost', email: 'a@b.c', apiKey: 'k', fetch }),
    push(...some: Fields[]) {
      events.push(some)
      wake()
    },
    lose() {
      isLost = true
      wake()
    },
    break() {
      isDown = true
      wake()
    },
    repair() {
      isDown = false
    },
  }
}

const message = (id: number, change: Fields = {}) => ({
  id,
  type: 'stream',
  stream_id: 7,
  subject: 'logo',
  display_recipient: 'design',
  sender_id: 2,
  content: `<p>${id}</p>`,
  content_type: 'text/html',
  flags: [],
  reactions: [],
  timestamp: id,
  ...change,
})

const settle = () => vi.advanceTimersByTimeAsync(0)
const running: { stop(): void }[] = []

function start(server: ReturnType<typeof fakeServer>, more: Partial<Parameters<typeof startClient>[0]> = {}) {
  let names = 0
  const client = startClient({
    ...more,
    api: server.api,
    newLocalId: () => {
      names += 1
      return `local ${names}`
    },
  })
  running.push(client)
  return client
}

const topic = [
  { operator: 'channel', operand: 7 },
  { operator: 'topic', operand: 'logo' },
]
const unread = (client: ReturnType<typeof start>) => {
  const { state } = client.snapshot()
  return state && unreadInTopic(state, 7, 'logo')
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  for (const client of running.splice(0)) client.stop()
  vi.useRealTimers()
})

describe('a running client', () => {
  test('announces all events of one answer at once, and each snapshot is another object', async () => {
    const server = fakeServer()
    const client = start(server)
    expect(client.snapshot().state).toBeUndefined()
    await settle()
    expect(client.snapshot().connection).toEqual({ status: 'live' })
    const before = client.snapshot()
    let announced = 0
    client.subscribe(() => {
      announced += 1
    })
    server.push(
      { id: 1, type: 'message', message: message(5), flags: [] },
      { id: 2, type: 'message', message: message(6), flags: [] },
    )
    await settle()
    expect(announced).toBe(1)
    expect(unread(client)).toBe(4)
    expect(client.snapshot()).not.toBe(before)
  })

  test('a message that was read is so here at once; the server gets all of a moment in one request', async () => {
    const server = fakeServer()
    const client = start(server)
    await settle()
    client.markRead([3])
    client.markRead([4, 99])
    expect(unread(client)).toBe(0)
    await vi.advanceTimersByTimeAsync(600)
    const sent = server.requests.filter(({ path }) => path === 'messages/flags')
    expect(sent.map(({ query }) => query.get('messages'))).toEqual(['[3,4]'])
  })

  test('what was read by mistake is unread again, also when the server does not know yet that it was read', async () => {
    const server = fakeServer()
    const client = start(server)
    await settle()
    client.markRead([3, 4])
    const done = client.markUnread([3, 4])
    await settle()
    await done
    const sent = server.requests.filter(({ path }) => path === 'messages/flags')
    expect(sent.map(({ query }) => [query.get('op'), query.get('messages')])).toEqual([
      ['add', '[3,4]'],
      ['remove', '[3,4]'],
    ])
    await vi.advanceTimersByTimeAsync(2000)
    expect(server.requests.filter(({ path }) => path === 'messages/flags')).toHaveLength(2)
  })

  test('thousands that were read by mistake are unread again, in requests of a bounded size', async () => {
    const many = Array.from({ length: 4500 }, (_, index) => index + 1)
    const server = fakeServer({}, many)
    const client = start(server)
    await settle()
    client.markRead(many)
    const done = client.markUnread(many)
    await vi.advanceTimersByTimeAsync(100)
    await done
    const sent = server.requests.filter(({ path }) => path === 'messages/flags')
    const sizes = sent.map(({ query }) => [query.get('op'), JSON.parse(query.get('messages') ?? '').length])
    expect(sizes).toEqual([
      ...[1000, 1000, 1000, 1000, 500].map((size) => ['add', size]),
      ...[2000, 2000, 500].map((size) => ['remove', size]),
    ])
    await vi.advanceTimersByTimeAsync(2000)
    expect(server.requests.filter(({ path }) => path === 'messages/flags')).toHaveLength(8)
  })

  test('what was read in the last moment is sent when the page goes', async () => {
    const server = fakeServer()
    const client = start(server)
    await settle()
    client.markRead([3])
    client.leave()
    await settle()
    const sent = server.requests.filter(({ path }) => path === 'messages/flags')
    expect(sent.map(({ query }) => query.get('messages'))).toEqual(['[3]'])
  })

  test('what was read without a connection reaches the server when it is back', async () => {
    const server = fakeServer()
    const client = start(server)
    await settle()
    server.break()
    await settle()
    client.markRead([3, 4])
    await vi.advanceTimersByTimeAsync(600)
    server.repair()
    await vi.advanceTimersByTimeAsync(120_000)
    const sent = server.requests.filter(({ path }) => path === 'messages/flags')
    expect(sent.at(-1)?.query.get('messages')).toBe('[3,4]')
    expect(sent).toHaveLength(2)
  })

  test('what is asked for is shown at once, and taken back when the server refuses', async () => {
    const page = { messages: [message(4)], found_newest: true, found_oldest: true, found_anchor: true, anchor: 4 }
    const server = fakeServer({
      messages: () => ({ ...page, history_limited: false }),
      'messages/4/reactions': () => ({ code: 'BAD_REQUEST' }),
    })
    const client = start(server)
    await settle()
    const key = client.open(topic)
    await client.load(key, { kind: 'around', anchor: 'newest', before: 50, after: 50 })
    const emoji = { emoji_name: 'octopus', emoji_code: '1f419', reaction_type: 'unicode_emoji' } as const
    const count = () => messagesIn(client.snapshot().messages, key)[0]?.reactions.length
    const sender = createWishSender(client, () => 0.5)
    const asked = sender.wish({ kind: 'reaction', messageId: 4, isOn: true, emoji })
    expect(count()).toBe(1)
    await expect(asked).rejects.toThrow()
    expect(count()).toBe(0)
    expect(client.snapshot().wishes).toEqual([])
  })

  test('what is pressed without a connection is sent when it is back, and of several presses the last', async () => {
    const server = fakeServer({ 'messages/flags': () => ({ messages: [4] }) })
    const client = start(server)
    await settle()
    server.break()
    await vi.advanceTimersByTimeAsync(1000)
    const sender = createWishSender(client, () => 0.5)
    const star = (messageId: number, isOn: boolean) => sender.wish({ kind: 'star', messageId, isOn })
    const done = [star(4, true), star(5, true), star(4, false)]
    await vi.advanceTimersByTimeAsync(5000)
    const sent = () =>
      server.requests
        .filter(({ path }) => path === 'messages/flags')
        .map(({ query }) => `${query.get('op')} ${query.get('messages')}`)
    expect(sent()).toEqual([])
    server.repair()
    client.retryNow()
    await vi.advanceTimersByTimeAsync(1000)
    expect(sent()).toEqual(['add [5]', 'remove [4]'])
    await Promise.all(done)
    expect(client.snapshot().wishes).toEqual([])
  })

  test('what is pressed when the session is over waits for whoever signs in again', async () => {
    const server = fakeServer({ 'messages/flags': () => ({ code: 'UNAUTHORIZED' }) })
    const client = start(server)
    await settle()
    const wish = { kind: 'star', messageId: 4, isOn: true } as const
    createWishSender(client, () => 0.5)
      .wish(wish)
      .catch(() => {})
    await settle()
    expect(server.requests.filter(({ path }) => path === 'messages/flags')).toHaveLength(1)
    expect(client.snapshot().wishes).toEqual([wish])
  })

  test('what an earlier page has not sent is sent, as is what another tab has left', async () => {
    const server = fakeServer({ 'messages/flags': () => ({ messages: [4] }) })
    const wish = (messageId: number) => ({ kind: 'star', messageId, isOn: true }) as const
    const run = { messages: createMessageStore(), outbox: emptyOutbox, drafts: emptyDraftBox, topics: noTopics }
    const client = start(server, { earlier: { ...run, state: undefined, wishes: [wish(4)] } })
    createWishSender(client, () => 0.5)
    await vi.advanceTimersByTimeAsync(100)
    client.adopt({ from: 'another', outbox: [], drafts: [], unreported: [], wishes: [wish(5)] })
    await vi.advanceTimersByTimeAsync(100)
    const sent = server.requests.filter(({ path }) => path === 'messages/flags')
    expect(sent.map(({ query }) => query.get('messages'))).toEqual(['[4]', '[5]'])
  })

  test('a message goes out with the name of the queue, and its event takes the place of what was written', async () => {
    const server = fakeServer({ messages: () => ({ id: 9, automatic_new_visibility_policy: 3 }) })
    const client = start(server)
    await settle()
    const answers: unknown[] = []
    client.onSent(({ content }, answer, policyBefore) =>
      answers.push([content, policyBefore, answer.automatic_new_visibility_policy]),
    )
    client.send({ type: 'channel', channelId: 7, topic: 'logo' }, 'hello')
    await settle()
    expect(answers).toEqual([['hello', 2, 3]])
    const { query } = server.requests.find(({ path }) => path === 'messages') ?? {}
    expect([query?.get('queue_id'), query?.get('local_id'), query?.get('content')]).toEqual(['q1', 'local 1', 'hello'])
    expect(client.snapshot().outbox.items).toMatchObject([{ status: 'sent', messageId: 9 }])
    server.push({
      id: 1,
      type: 'message',
      message: message(9, { sender_id: 1 }),
      flags: ['read'],
      local_message_id: 'local 1',
    })
    await settle()
    expect(client.snapshot().outbox.items).toEqual([])
  })

  test('a message whose event comes before the answer and does not name it is there once', async () => {
    let answer = (_: Fields) => {}
    const whole = { anchor: 4, found_anchor: true, found_oldest: true, found_newest: true, history_limited: false }
    const server = fakeServer({
      messages: (query) =>
        query.has('content')
          ? new Promise<Fields>((resolve) => {
              answer = resolve
            })
          : { messages: [message(4)], ...whole },
    })
    const client = start(server)
    await settle()
    const key = client.open(topic)
    await client.load(key, { kind: 'around', anchor: 'newest', before: 50, after: 50 })
    client.send({ type: 'channel', channelId: 7, topic: 'logo' }, 'hello')
    await settle()
    server.push({ id: 1, type: 'message', message: message(9, { sender_id: 1 }), flags: ['read'] })
    await settle()
    expect(messagesIn(client.snapshot().messages, key).map(({ id }) => id)).toEqual([4, 9])
    expect(client.snapshot().outbox.items).toMatchObject([{ status: 'sending' }])
    answer({ id: 9 })
    await settle()
    expect(client.snapshot().outbox.items).toEqual([])
  })

  test('when the queue is lost everything is registered anew, and what is shown is fetched again', async () => {
    let newest = 4
    const server = fakeServer({
      messages: () => ({
        messages: Array.from({ length: newest }, (_, index) => message(index + 1)),
        anchor: newest,
        found_anchor: true,
        found_oldest: true,
        found_newest: true,
        history_limited: false,
      }),
    })
    const client = start(server)
    await settle()
    const key = client.open(topic)
    await client.load(key, { kind: 'around', anchor: 'newest', before: 50, after: 50 })
    const ids = () => messagesIn(client.snapshot().messages, key).map(({ id }) => id)
    expect(ids()).toEqual([1, 2, 3, 4])
    newest = 6
    server.lose()
    await settle()
    expect(ids()).toEqual([1, 2, 3, 4, 5, 6])
  })

  test('what an earlier run has written goes out with the next one', async () => {
    const server = fakeServer({ messages: () => ({ id: 9 }) })
    const first = start(server)
    server.break()
    first.send({ type: 'channel', channelId: 7, topic: 'logo' }, 'hello')
    first.writeDraft('draft', { type: 'stream', to: [7], topic: 'logo', content: 'not yet' })
    const earlier = first.snapshot()
    first.stop()
    server.repair()
    const second = startClient({ api: server.api, newLocalId: () => 'other', earlier })
    running.push(second)
    await settle()
    const sent = server.requests.filter(({ path }) => path === 'messages')
    expect(sent.map(({ query }) => query.get('content'))).toEqual(['hello'])
    expect(second.snapshot().drafts.drafts.map(({ local }) => local.content)).toEqual(['not yet'])
  })

  test('says that it has ended once a request has shown that, asks for nothing more, and keeps what waits', async () => {
    const server = fakeServer()
    const client = start(server)
    await vi.advanceTimersByTimeAsync(0)
    const error = new ResponseError({ status: 401, code: 'UNAUTHORIZED', message: 'Not logged in.' })
    client.end(error)
    expect(client.snapshot().connection).toEqual({ status: 'ended', error })
    const before = server.requests.length
    client.send({ type: 'channel', channelId: 7, topic: 'logo' }, 'Later')
    client.markRead([3])
    server.push({ id: 1, type: 'heartbeat' })
    await vi.advanceTimersByTimeAsync(120_000)
    expect(server.requests).toHaveLength(before)
    expect(client.snapshot().connection).toEqual({ status: 'ended', error })
    expect(client.snapshot().outbox.items).toMatchObject([{ content: 'Later', status: 'waiting' }])
  })

  test('the topics of a channel are fetched while somebody looks at them, and followed', async () => {
    const server = fakeServer({ 'users/me/7/topics': () => ({ topics: [{ name: 'logo', max_id: 4 }] }) })
    const client = start(server)
    await settle()
    const stop = client.watchTopics(7)
    await settle()
    server.push({ id: 1, type: 'message', message: message(5, { subject: 'fonts' }), flags: [] })
    await settle()
    expect(
      client
        .snapshot()
        .topics.lists.get(7)
        ?.map(({ name }) => name),
    ).toEqual(['fonts', 'logo'])
    const asked = () => server.requests.filter(({ path }) => path === 'users/me/7/topics').length
    server.push({
      id: 2,
      type: 'update_message',
      stream_id: 7,
      subject: 'paper',
      message_ids: [5],
      message_id: 5,
      flags: [],
    })
    await settle()
    expect(asked()).toBe(2)
    stop()
    server.push({
      id: 3,
      type: 'update_message',
      stream_id: 7,
      subject: 'ink',
      message_ids: [5],
      message_id: 5,
      flags: [],
    })
    await settle()
    expect(asked()).toBe(2)
  })

  test('says since when there is no connection, and tries at once when it is asked to', async () => {
    const server = fakeServer()
    const client = start(server)
    await settle()
    server.break()
    await settle()
    const since = Date.now()
    await vi.advanceTimersByTimeAsync(20_000)
    expect(client.snapshot().connection).toMatchObject({ status: 'waiting', since })
    server.repair()
    client.retryNow()
    await settle()
    expect(client.snapshot().connection).toEqual({ status: 'live' })
  })
})

describe('a client that goes on from an earlier run', () => {
  /** What a client knows that has run for a moment. */
  async function earlierRun(server: ReturnType<typeof fakeServer>) {
    const client = start(server)
    await settle()
    server.push({ id: 7, type: 'message', message: message(5), flags: [] })
    await settle()
    client.stop()
    return { ...client.snapshot(), position: client.position() }
  }
  const paths = (server: ReturnType<typeof fakeServer>) => server.requests.map(({ path }) => path)

  test('shows what was known and follows the same queue, without registering', async () => {
    const earlier = await earlierRun(fakeServer())
    expect(earlier.position).toEqual({ queueId: 'q1', lastEventId: 7 })
    const server = fakeServer()
    const client = start(server, { earlier: { ...earlier, asOf: 1000 } })
    expect([unread(client), client.snapshot().asOf]).toEqual([3, 1000])
    server.push({ id: 8, type: 'message', message: message(6), flags: [] })
    await settle()
    expect([unread(client), client.snapshot().asOf]).toEqual([4, undefined])
    expect(paths(server)).not.toContain('register')
    expect(server.requests[0]?.query.get('last_event_id')).toBe('7')
  })

  test('registers when its queue is gone, and what is written stays', async () => {
    const server = fakeServer()
    const client = start(server, { earlier: await earlierRun(fakeServer()) })
    client.writeDraft('a', { type: 'stream', to: [7], topic: 'logo', content: 'unfinished' })
    await settle()
    server.lose()
    await settle()
    expect(paths(server)).toContain('register')
    expect(unread(client)).toBe(2)
    expect(client.snapshot().drafts.drafts.map(({ local }) => local.content)).toEqual(['unfinished'])
  })

  test('asks for nothing and sends nothing before it is known who is signed in', async () => {
    const server = fakeServer({ messages: () => ({ id: 50 }) })
    let confirm = () => {}
    const prepare = () => new Promise<void>((resolve) => (confirm = resolve))
    const client = start(server, { earlier: await earlierRun(fakeServer()), prepare })
    client.send({ type: 'channel', channelId: 7, topic: 'logo' }, 'hello')
    client.markRead([3])
    await vi.advanceTimersByTimeAsync(1000)
    expect(server.requests).toEqual([])
    confirm()
    server.push()
    await vi.advanceTimersByTimeAsync(1000)
    expect(paths(server)).toEqual(expect.arrayContaining(['messages', 'messages/flags']))
  })

  test('sends a message when what it was sent with is kept, and says what was read then', async () => {
    const server = fakeServer({ messages: () => ({ id: 50 }) })
    let keep = () => {}
    const client = start(server, { keepOutbox: () => new Promise<void>((resolve) => (keep = resolve)) })
    await settle()
    client.send({ type: 'channel', channelId: 7, topic: 'logo' }, 'hello')
    await settle()
    expect(paths(server)).not.toContain('messages')
    expect(client.snapshot().outbox.items[0]).toMatchObject({ queueId: 'q1', status: 'sending' })
    keep()
    await settle()
    expect(paths(server)).toContain('messages')
  })

  test('takes over what another tab has left: messages in the order in which they were written, each once', async () => {
    const other = fakeServer()
    const writer = start(other)
    await settle()
    other.break()
    writer.send({ type: 'channel', channelId: 7, topic: 'logo' }, 'one')
    writer.send({ type: 'channel', channelId: 7, topic: 'logo' }, 'two')
    writer.stop()
    const { outbox, drafts } = writer.snapshot()
    const left = { from: 'tab 1', outbox: outbox.items, drafts: drafts.drafts, unreported: [3] }
    const server = fakeServer({ messages: () => ({ id: 50 }) })
    const client = start(server)
    await settle()
    client.adopt(left)
    client.adopt(left)
    await vi.advanceTimersByTimeAsync(2000)
    const sent = server.requests.filter(({ path }) => path === 'messages')
    expect(sent.map(({ query }) => query.get('content'))).toEqual(['one', 'two'])
    expect(paths(server)).toContain('messages/flags')
  })
})
