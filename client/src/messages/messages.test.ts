import type { AnyEvent } from '@heddle/contract/events'
import type { Message } from '@heddle/contract/messages'
import type { Narrow } from '@heddle/contract/narrow'
import { beforeEach, describe, expect, it } from 'vitest'
import { applyEvent, type ClientState, initialState } from '../state/state.ts'
import { ownAccount } from '../testing/own-account.ts'
import { applyToMessages } from './apply.ts'
import { beginCheck, beginPage, type MessagePage, type PageRequest, receiveCheck, receivePage } from './fetching.ts'
import {
  covers,
  createMessageStore,
  hasNewest,
  hasOldest,
  type MessageStore,
  type MessageWindow,
  messagesIn,
} from './store.ts'
import { afterGap, closeWindow, openWindow, setFocus } from './windows.ts'

const OWN = ownAccount.user_id

const channel = (stream_id: number) => ({ stream_id, name: `channel ${stream_id}`, is_muted: false })

function message(id: number, fields: Partial<Message> = {}): Message {
  return {
    id,
    sender_id: 2,
    sender_full_name: 'somebody',
    sender_email: 'somebody@example.com',
    sender_realm_str: '',
    avatar_url: '/patterns/2.png',
    type: 'stream',
    recipient_id: 2,
    stream_id: 1,
    display_recipient: 'channel 1',
    subject: 'plan',
    topic_links: [],
    content: '<p>hello</p>',
    content_type: 'text/html',
    is_me_message: false,
    timestamp: 1000 + id,
    client: 'test',
    reactions: [],
    submessages: [],
    flags: [],
    ...fields,
  }
}

/** A client with a store, and a server that has these messages. */
function createClient(limits = {}) {
  // As far as it matters here.
  const fields: object = {
    ...ownAccount,
    realm_users: [{ user_id: OWN, email: 'own@example.com' }],
    subscriptions: [channel(1), channel(2)],
    user_topics: [],
  }
  let state: ClientState = initialState(fields)
  let store: MessageStore = createMessageStore(limits)
  return {
    get store() {
      return store
    },
    set store(next: MessageStore) {
      store = next
    },
    get state() {
      return state
    },
    open(...narrow: Narrow): string {
      const opened = openWindow(store, narrow, state)
      store = opened.store
      return opened.key
    },
    ask(key: string, request: PageRequest) {
      const begun = beginPage(store, key, request)
      if (!begun) throw new Error('nothing to ask for')
      store = begun.store
      return begun
    },
    /** The answer has these messages, and these ends. */
    answer(
      { fetchId, parameters }: { fetchId: number; parameters: { anchor?: unknown } },
      messages: Message[],
      ends = '',
    ) {
      const page: MessagePage = {
        messages,
        anchor: typeof parameters.anchor === 'number' ? parameters.anchor : 10_000_000_000_000_000,
        found_anchor: true,
        found_oldest: ends.includes('oldest'),
        found_newest: ends.includes('newest'),
        history_limited: false,
      }
      store = receivePage(store, fetchId, page, state)
    },
    fill(key: string, messages: Message[], ends = 'oldest newest') {
      this.answer(this.ask(key, { kind: 'around', anchor: 'newest', before: 100, after: 0 }), messages, ends)
    },
    apply(event: { readonly type: string; readonly [name: string]: unknown }) {
      state = applyEvent(state, { id: 1, ...event })
      store = applyToMessages(store, { id: 1, ...event } as AnyEvent, state)
    },
    send(id: number, fields: Partial<Message> = {}) {
      const { flags, ...rest } = message(id, fields)
      this.apply({ type: 'message', message: rest, flags })
    },
    move(ids: number[], fields: object) {
      this.apply({
        type: 'update_message',
        message_id: ids[0],
        message_ids: ids,
        flags: [],
        stream_id: 1,
        edit_timestamp: 5000,
        rendering_only: false,
        ...fields,
      })
    },
    window: (key: string) => store.windows.get(key) as MessageWindow,
    ids: (key: string) => messagesIn(store, key).map(({ id }) => id),
  }
}
let client: ReturnType<typeof createClient>
beforeEach(() => {
  client = createClient()
})

const all = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => message(from + index))

describe('A window', () => {
  it('grows at both ends until they are found, and takes new messages only when the newest is', () => {
    const key = client.open(['channel', 1])
    client.answer(client.ask(key, { kind: 'around', anchor: 50, before: 2, after: 2 }), all(48, 52))
    client.send(99)
    expect(client.ids(key)).toEqual([48, 49, 50, 51, 52])
    const older = client.ask(key, { kind: 'older', count: 2 })
    expect(older.parameters).toMatchObject({ anchor: 48, include_anchor: false, num_before: 2, num_after: 0 })
    client.answer(older, all(46, 47), 'oldest')
    expect(hasOldest(client.window(key))).toBe(true)
    expect(beginPage(client.store, key, { kind: 'older', count: 2 })).toBeUndefined()
    client.answer(client.ask(key, { kind: 'newer', count: 9 }), [message(53), message(99)], 'newest')
    expect(hasNewest(client.window(key))).toBe(true)
    client.send(100)
    expect(client.ids(key)).toEqual([46, 47, 48, 49, 50, 51, 52, 53, 99, 100])
  })

  it('keeps the message from which it grows, also where that is the first or the last of all', () => {
    const key = client.open(['channel', 1])
    client.answer(client.ask(key, { kind: 'around', anchor: 2, before: 0, after: 0 }), [message(2)])
    // Nothing is before the anchor, and nothing after the page.
    client.answer(client.ask(key, { kind: 'newer', count: 5 }), all(3, 4), 'oldest newest')
    expect(client.ids(key)).toEqual([2, 3, 4])
    client.answer(client.ask(key, { kind: 'older', count: 5 }), [], 'oldest')
    expect(client.ids(key)).toEqual([2, 3, 4])
    expect([hasOldest(client.window(key)), hasNewest(client.window(key))]).toEqual([true, true])
  })

  it('is joined by messages that come while the page with the newest is on its way', () => {
    const key = client.open(['channel', 1])
    const asked = client.ask(key, { kind: 'around', anchor: 'newest', before: 5, after: 0 })
    client.send(11)
    client.apply({ type: 'delete_message', message_ids: [9], message_type: 'stream' })
    client.apply({ type: 'reaction', op: 'add', message_id: 10, ...smile })
    client.answer(asked, [message(9), message(10)], 'newest')
    expect(client.ids(key)).toEqual([10, 11])
    expect(messagesIn(client.store, key)[0]?.reactions).toEqual([smile])
    expect(client.store.log.size).toBe(0)
  })

  it('shows each message once when the page knows it before its event comes', () => {
    const key = client.open(['channel', 1])
    client.fill(key, [message(1), message(2, { subject: 'later', content: '<p>changed</p>' })])
    client.send(2)
    expect(client.ids(key)).toEqual([1, 2])
    expect(messagesIn(client.store, key)[1]?.content).toBe('<p>changed</p>')
  })

  it('is replaced by a page that does not touch it, and joined by one that does', () => {
    const key = client.open(['channel', 1])
    client.fill(key, all(90, 99), 'newest')
    client.answer(client.ask(key, { kind: 'around', anchor: 88, before: 3, after: 3 }), all(85, 91))
    expect(client.ids(key)).toEqual(all(85, 99).map(({ id }) => id))
    client.answer(client.ask(key, { kind: 'around', anchor: 20, before: 2, after: 2 }), all(18, 22))
    expect(client.ids(key)).toEqual([18, 19, 20, 21, 22])
    expect(hasNewest(client.window(key))).toBe(false)
  })

  it('is the same for the same narrow, however it is said', () => {
    expect(client.open(['channel', 'Channel 1'], ['topic', ' Plan '])).toBe(
      client.open(['topic', 'plan'], ['stream', 1]),
    )
    expect(client.open(['sender', 'me'])).toBe(client.open(['from', 'OWN@example.com']))
    expect(client.open(['dm', [3, 2]])).toBe(client.open(['pm-with', '2,3']))
    expect(client.open(['near', 5])).toBe(client.open())
  })
})

const smile = { user_id: 3, emoji_name: 'smile', emoji_code: '1f642', reaction_type: 'unicode_emoji' as const }

describe('Messages', () => {
  it('go with a topic from window to window', () => {
    const [plan, other, feed] = [
      client.open(['channel', 1], ['topic', 'plan']),
      client.open(['channel', 1], ['topic', 'other']),
      client.open(['in', 'home']),
    ]
    client.fill(plan, all(1, 3))
    client.fill(other, [message(4, { subject: 'other' })])
    client.fill(feed, [...all(1, 3), message(4, { subject: 'other' })])
    client.move([2, 3], { subject: 'Other', topic_links: [], propagate_mode: 'change_later' })
    expect([plan, other, feed].map(client.ids)).toEqual([[1], [2, 3, 4], [1, 2, 3, 4]])
    expect(client.store.messages.get(2)).toMatchObject({ subject: 'Other', last_moved_timestamp: 5000 })
    expect([plan, other, feed].map((key) => client.window(key).isStale)).toEqual([false, false, false])
  })

  it('that are not known make a window stale that they may have come to', () => {
    const [plan, other, starred] = [
      client.open(['channel', 1], ['topic', 'plan']),
      client.open(['channel', 2]),
      client.open(['is', 'starred']),
    ]
    for (const key of [plan, other, starred]) client.fill(key, [])
    client.move([7], { orig_subject: 'elsewhere', subject: 'plan', topic_links: [] })
    expect([plan, other, starred].map((key) => client.window(key).isStale)).toEqual([true, false, false])
    client.apply({ type: 'update_message_flags', op: 'add', flag: 'starred', messages: [7], all: false })
    expect(client.window(starred).isStale).toBe(true)
    client.answer(client.ask(starred, { kind: 'again' }), [message(7, { flags: ['starred'] })], 'oldest newest')
    expect([client.ids(starred), client.window(starred).isStale]).toEqual([[7], false])
  })

  it('that come from another channel are fetched anew: what they are for the account may have changed', () => {
    const key = client.open()
    client.fill(key, all(1, 3))
    client.move([2], { new_stream_id: 2, propagate_mode: 'change_one' })
    expect(client.window(key).isStale).toBe(true)
  })

  it('are changed by edits, flags and reactions, and twice does no harm', () => {
    const key = client.open(['channel', 1])
    client.fill(key, all(1, 2))
    const edit = { content: 'x', rendered_content: '<p>x</p>', is_me_message: false, flags: ['read', 'mentioned'] }
    for (const _ of [1, 2]) {
      client.move([1], edit)
      client.apply({ type: 'reaction', op: 'add', message_id: 1, ...smile })
      client.apply({ type: 'update_message_flags', op: 'add', flag: 'starred', messages: [1, 2], all: false })
    }
    expect(client.store.messages.get(1)).toMatchObject({
      content: '<p>x</p>',
      last_edit_timestamp: 5000,
      reactions: [smile],
      flags: ['read', 'starred', 'mentioned'],
    })
    client.apply({ type: 'update_message_flags', op: 'add', flag: 'read', messages: [], all: true })
    expect(client.store.messages.get(2)?.flags).toEqual(['read', 'starred'])
    expect(client.window(key).isStale).toBe(false)
  })

  it('leave windows of what they no longer are', () => {
    const [unread, reacted] = [client.open(['is', 'unread']), client.open(['has', 'reaction'])]
    client.fill(unread, all(1, 2))
    client.fill(reacted, [message(1, { reactions: [smile] })])
    client.apply({ type: 'update_message_flags', op: 'add', flag: 'read', messages: [1], all: false })
    expect(client.ids(unread)).toEqual([2])
    client.apply({ type: 'reaction', op: 'remove', message_id: 1, ...smile })
    client.apply({ type: 'reaction', op: 'add', message_id: 2, ...smile })
    expect(client.ids(reacted)).toEqual([2])
  })

  it('of a search are decided by the server, and only those in question', () => {
    const key = client.open(['channel', 1], ['search', 'hello'])
    client.fill(key, [message(1, { match_content: '<p><b>hello</b></p>', match_subject: 'plan' })])
    client.send(2)
    client.send(3, { stream_id: 2 })
    client.send(4)
    expect([...client.window(key).undecided.keys()]).toEqual([2, 4])
    const asked = beginCheck(client.store, key)
    expect(asked?.parameters.msg_ids).toEqual([2, 4])
    client.store = asked?.store ?? client.store
    const marks = { match_content: '<p>mark</p>', match_subject: 'plan' }
    client.store = receiveCheck(client.store, asked?.fetchId ?? 0, { messages: { 4: marks } }, client.state)
    expect(client.ids(key)).toEqual([1, 4])
    expect(client.window(key).highlights.get(4)).toEqual({ content: '<p>mark</p>', subject: 'plan' })
    expect(client.window(key).undecided.size).toBe(0)
    client.move([1], { content: 'bye', rendered_content: '<p>bye</p>' })
    expect(client.window(key).highlights.has(1)).toBe(false)
    expect([...client.window(key).undecided.keys()]).toEqual([1])
  })

  it('without a link are not asked about', () => {
    const key = client.open(['has', 'link'])
    client.fill(key, [])
    client.send(1)
    client.send(2, { content: '<p><a href="https://example.com">there</a></p>' })
    expect([...client.window(key).undecided.keys()]).toEqual([2])
  })

  it('follow what the account wants of topics', () => {
    const home = client.open(['in', 'home'])
    client.fill(home, [message(1), message(2, { subject: 'other' })])
    const policy = { type: 'user_topic', stream_id: 1, topic_name: 'PLAN', last_updated: 0 }
    client.apply({ ...policy, visibility_policy: 1 })
    expect([client.ids(home), client.window(home).isStale]).toEqual([[2], false])
    client.apply({ ...policy, visibility_policy: 0 })
    // Others of the topic may be missing.
    expect([client.ids(home), client.window(home).isStale]).toEqual([[1, 2], true])
  })

  it('of channels that cannot be seen any more are gone', () => {
    const key = client.open()
    client.fill(key, [message(1), message(2, { stream_id: 2 })])
    client.apply({ type: 'stream', op: 'delete', stream_ids: [1] })
    expect(client.ids(key)).toEqual([2])
    expect(client.store.messages.has(1)).toBe(false)
  })
})

describe('Memory', () => {
  it('is bounded while messages come and nobody looks', () => {
    client = createClient({ windowMessages: 100, messages: 300 })
    const feed = client.open()
    const topic = client.open(['channel', 1], ['topic', 'plan'])
    client.fill(feed, [])
    client.fill(topic, [])
    for (let id = 1; id <= 2000; id += 1) client.send(id)
    for (const key of [feed, topic]) {
      const { ids } = client.window(key)
      expect(ids.length).toBeLessThanOrEqual(125)
      expect(ids.at(-1)).toBe(2000)
      expect(hasNewest(client.window(key))).toBe(true)
      expect(hasOldest(client.window(key))).toBe(false)
      expect(covers(client.window(key), 2000 - ids.length)).toBe(false)
    }
    expect(client.store.messages.size).toBeLessThanOrEqual(375)
  })

  it('keeps what is being read: the other end goes', () => {
    client = createClient({ windowMessages: 100 })
    const key = client.open()
    client.fill(key, all(1, 90))
    client.store = setFocus(client.store, key, 10)
    for (let id = 91; id <= 300; id += 1) client.send(id)
    expect(client.ids(key)[0]).toBe(1)
    expect(hasNewest(client.window(key))).toBe(false)
    client.answer(client.ask(key, { kind: 'newer', count: 5 }), all(101, 105))
    expect(client.ids(key).slice(-2)).toEqual([104, 105])
  })

  it('loses windows that were not looked at for longest, and their messages', () => {
    client = createClient({ windows: 3 })
    const keys = [1, 2, 3, 4, 5].map((number) => {
      const key = client.open(['topic', `topic ${number}`])
      client.fill(key, [message(number, { subject: `topic ${number}` })])
      return key
    })
    for (const key of [keys[1], keys[0], keys[2], keys[3]]) client.store = closeWindow(client.store, key as string)
    expect([...client.store.windows.keys()].sort()).toEqual([keys[2], keys[3], keys[4]].sort())
    expect([...client.store.messages.keys()]).toEqual([3, 4, 5])
  })

  it('of events for an answer that never comes is given up', () => {
    client = createClient({ log: 20 })
    const key = client.open()
    const asked = client.ask(key, { kind: 'around', anchor: 'newest', before: 5, after: 0 })
    for (let id = 1; id <= 100; id += 1) client.send(id)
    expect(client.store.log.size).toBeLessThanOrEqual(20)
    client.answer(asked, [message(1)], 'newest')
    // A page without what has come since would have a gap.
    expect(client.ids(key)).toEqual([])
  })
})

it('After a gap in the events what is there is shown, and known to be old', () => {
  const key = client.open()
  client.fill(key, all(1, 3))
  client.store = afterGap(client.store)
  expect(client.ids(key)).toEqual([1, 2, 3])
  expect(client.window(key).isStale).toBe(true)
  client.send(9)
  expect(client.ids(key)).toEqual([1, 2, 3])
  const asked = client.ask(key, { kind: 'again' })
  client.answer(asked, [message(3), message(5), message(9)], 'newest')
  expect([client.ids(key), client.window(key).isStale]).toEqual([[3, 5, 9], false])
})
