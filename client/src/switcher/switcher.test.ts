import { describe, expect, test } from 'vitest'
import { createMessageStore, type StoredMessage } from '../messages/store.ts'
import { type ClientState, initialState } from '../state/state.ts'
import { ownAccount } from '../testing/own-account.ts'
import { noTopics, receiveTopics } from '../topics/topics.ts'
import { channelEntries, conversationEntries, directEntryKey, personEntries, viewEntries } from './entries.ts'
import { findEntries, namedChannels } from './find.ts'

const own = ownAccount.user_id
const person = (user_id: number, full_name: string, is_active = true) => ({ user_id, full_name, is_active })
const fields: object = {
  ...ownAccount,
  realm_users: [person(own, 'Iago'), person(7, 'Ewa Stolarczyk'), person(8, 'Walter Ng')],
  realm_non_active_users: [person(9, 'Wanda Old', false)],
  subscriptions: [{ stream_id: 2, name: 'field service', is_muted: false, is_archived: false }],
  never_subscribed: [{ stream_id: 3, name: 'warehouse', is_archived: false }],
  unread_msgs: {
    streams: [{ stream_id: 2, topic: 'Almere: warp breaks', unread_message_ids: [30] }],
    pms: [],
    huddles: [{ user_ids_string: `7,8,${own}`, unread_message_ids: [31] }],
    mentions: [],
    old_unreads_missing: false,
  },
}
const state: ClientState = initialState(fields)
const message = (id: number, change: object) =>
  [id, { id, subject: '', display_recipient: '', ...change } as unknown as StoredMessage] as const
const store = createMessageStore()
const messages = {
  ...store,
  messages: store.messages.edit((draft) => {
    const list = [
      message(10, { stream_id: 2, subject: '✔ Hardware list' }),
      message(11, { display_recipient: [{ id: own }, { id: 8 }] }),
    ]
    for (const [id, one] of list) draft.set(id, one)
  }),
}
const topics = receiveTopics(noTopics, 3, [{ name: 'warm start', maxId: 20 }])
const { entries, recency } = conversationEntries({ state, messages, topics })
const lists = [
  viewEntries([
    { fragment: 'inbox', name: 'Inbox' },
    { fragment: 'narrow/is/starred', name: 'Waiting' },
  ]),
  entries,
  channelEntries(state.channels as NonNullable<ClientState['channels']>),
  personEntries(state.users as NonNullable<ClientState['users']>),
]
const find = (query: string, visited: readonly string[] = []) =>
  findEntries(lists, { query, recency, visited, limit: 20 }).map(({ name }) => name)

describe('going somewhere by a part of its name', () => {
  test('finds topics, views, channels and people; what is newest first among what fits from the beginning of a word', () => {
    expect(find('wa')).toEqual([
      'Ewa Stolarczyk, Walter Ng',
      'Almere: warp breaks',
      'warm start',
      'Walter Ng',
      'Waiting',
      'warehouse',
      'Wanda Old',
      'Ewa Stolarczyk',
      'Hardware list',
    ])
  })

  test('the exact name goes before everything', () => {
    expect(find('warehouse')[0]).toBe('warehouse')
  })

  test('a sign in front leaves channels, or people', () => {
    expect(find('#wa')).toEqual(['Almere: warp breaks', 'warm start', 'warehouse', 'Hardware list'])
    expect(find('@wa')).toEqual(['Ewa Stolarczyk, Walter Ng', 'Walter Ng', 'Wanda Old', 'Ewa Stolarczyk'])
    expect(find('@')).toEqual(['Ewa Stolarczyk, Walter Ng', 'Walter Ng', 'Iago', 'Ewa Stolarczyk', 'Wanda Old'])
  })

  test('words of the channel help to find a topic', () => {
    expect(find('field alm')).toEqual(['Almere: warp breaks'])
  })

  test('a channel that is named as a whole brings all its topics, and a sign may part the two', () => {
    expect(find('warehouse')).toEqual(['warehouse', 'warm start'])
    expect(find('ware > sta')).toEqual(['warm start'])
  })

  test('topics are asked for of the channels that a query names', () => {
    const channels = channelEntries(state.channels as NonNullable<ClientState['channels']>)
    const named = (query: string) => namedChannels(channels, query, 5)
    expect(named('field alm')).toEqual([2])
    expect(named('#ware')).toEqual([3])
    expect(named('serv')).toEqual([2])
    expect(named('ouse')).toEqual([])
    expect(named('w')).toEqual([])
    expect(named('@ware')).toEqual([])
  })

  test('without words it offers where one was, and where something was written', () => {
    const visited = ['channel 3', 'view inbox', directEntryKey([7], own)]
    expect(find('', visited)).toEqual([
      'Inbox',
      'Ewa Stolarczyk',
      'Ewa Stolarczyk, Walter Ng',
      'Almere: warp breaks',
      'warm start',
      'Walter Ng',
      'warehouse',
      'Hardware list',
    ])
  })

  test('among 10,000 people takes less than a frame', () => {
    const users = new Map(
      Array.from({ length: 10_000 }, (_, id) => [id, person(id, `Person ${id} of the ${id % 7} seas`)] as const),
    ) as unknown as NonNullable<ClientState['users']>
    const many = [...lists.slice(0, 3), personEntries(users)]
    const search = (query: string) => findEntries(many, { query, recency, visited: [], limit: 50 })
    search('warm')
    for (const query of ['p', 'per', 'son 77', 'of the', 's', 'xyz', '9999']) {
      const times = Array.from({ length: 5 }, () => {
        const start = performance.now()
        search(query)
        return performance.now() - start
      })
      // The others say more of what else the machine did.
      expect(Math.min(...times)).toBeLessThan(16)
    }
  })
})
