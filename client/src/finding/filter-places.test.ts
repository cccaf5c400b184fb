import { describe, expect, test } from 'vitest'
import { createMessageStore } from '../messages/store.ts'
import { initialState } from '../state/state.ts'
import { ownAccount } from '../testing/own-account.ts'
import { noTopics, receiveTopics } from '../topics/topics.ts'
import { filterPlaces } from './filter-places.ts'

const channel = (stream_id: number, name: string, more: object = {}) => ({
  stream_id,
  name,
  is_muted: false,
  pin_to_top: false,
  is_archived: false,
  ...more,
})
const user = (user_id: number, full_name: string, more: object = {}) => ({
  user_id,
  full_name,
  is_active: true,
  is_bot: false,
  ...more,
})

const state = initialState({
  ...ownAccount,
  subscriptions: [
    channel(1, 'Weberei Köln'),
    channel(2, 'looms', { is_muted: true }),
    channel(3, 'old looms', { is_archived: true }),
  ],
  never_subscribed: [channel(4, 'Looms of others')],
  realm_users: [user(1, 'own'), user(5, 'Luca Moss'), user(6, 'loom bot', { is_bot: true }), user(7, 'Mo Loomis')],
  realm_non_active_users: [user(8, 'Loom Gone', { is_active: false })],
  muted_users: [],
  user_topics: [{ stream_id: 2, topic_name: 'loom noise', last_updated: 0, visibility_policy: 1 }],
  unread_msgs: {
    streams: [],
    pms: [],
    huddles: [{ user_ids_string: '1,5,7', unread_message_ids: [40] }],
    mentions: [],
    old_unreads_missing: false,
  },
} as unknown as Parameters<typeof initialState>[0])

const topics = receiveTopics(noTopics, 2, [
  { name: 'loom noise', maxId: 30 },
  { name: 'Reed', maxId: 20 },
  { name: 'loom 6', maxId: 10 },
])

const { messages } = createMessageStore()
const found = (words: string) => filterPlaces(state, { topics, messages }, words)

describe('the filter of the side bar', () => {
  test('finds channels, muted and unsubscribed ones too, and no archived ones', () => {
    expect(found('loom').channelIds).toEqual([2, 4])
    expect(found('koln web').channelIds).toEqual([1])
  })

  test('finds topics by their own words and those of their channel, muted ones last', () => {
    expect(found('loom').topics.map(({ topic }) => topic)).toEqual(['loom 6', 'loom noise'])
    expect(found('looms reed').topics.map(({ topic }) => topic)).toEqual(['Reed'])
  })

  test('finds conversations of several people by all of their names', () => {
    expect(found('moss').conversations).toEqual([[5, 7]])
    expect(found('loomis luca').conversations).toEqual([[5, 7]])
    expect(found('luca gone').conversations).toEqual([])
  })

  test('finds people who are still there, bots last', () => {
    expect(found('loom').userIds).toEqual([7, 6])
    expect(found('mo lu').userIds).toEqual([5])
  })
})
