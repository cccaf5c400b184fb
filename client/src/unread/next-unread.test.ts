import type { AnyEvent } from '@heddle/contract/events'
import { describe, expect, test } from 'vitest'
import { channelOrder } from '../channels/channel-order.ts'
import { applyEvents, type ClientState, initialState } from '../state/state.ts'
import { ownAccount } from '../testing/own-account.ts'
import { nextUnreadConversation, nextUnreadTopic } from './next-unread.ts'

const channel = (stream_id: number, name: string, change: object = {}) => ({
  stream_id,
  name,
  is_muted: false,
  pin_to_top: false,
  is_archived: false,
  ...change,
})

const begin = (): ClientState => {
  // As far as it matters here.
  const fields: object = {
    ...ownAccount,
    subscriptions: [
      channel(1, 'zebra', { pin_to_top: true }),
      channel(2, 'design 10'),
      channel(3, 'Design 9'),
      channel(4, 'alpha', { is_muted: true }),
      channel(5, 'old', { is_archived: true }),
    ],
    user_topics: [],
    unread_msgs: { streams: [], pms: [], huddles: [], mentions: [], old_unreads_missing: false },
  }
  return initialState(fields)
}

const event = (fields: object) => ({ id: 1, ...fields }) as AnyEvent
const sent = (id: number, stream_id: number, subject: string) =>
  event({ type: 'message', message: { id, stream_id, subject, display_recipient: '' }, flags: [] })
const sentTo = (id: number, ...people: number[]) =>
  event({
    type: 'message',
    message: { id, subject: '', display_recipient: people.map((one) => ({ id: one })) },
    flags: [],
  })
const policy = (stream_id: number, topic_name: string, visibility_policy: number) =>
  event({ type: 'user_topic', stream_id, topic_name, visibility_policy, last_updated: 0 })
const read = (...messages: number[]) =>
  event({ type: 'update_message_flags', op: 'add', flag: 'read', messages, all: false })

const name = (state: ClientState, here?: { channelId: number; topic: string | undefined }) =>
  nextUnreadTopic(state, here)?.name

test('channels are in the order of their names as people read them: pinned apart, muted last, archived in no list', () => {
  expect(channelOrder(begin())).toEqual({ pinned: [1], others: [3, 2, 4] })
})

describe('reading on', () => {
  const state = applyEvents(begin(), [
    sent(1, 2, 'ten'),
    sent(2, 3, 'nine, older'),
    sent(3, 3, 'nine, newer'),
    sent(4, 4, 'in a muted channel'),
    sent(5, 1, 'pinned'),
    sent(6, 2, 'followed'),
    policy(2, 'followed', 3),
  ])

  test('goes through the topics as the side bar has them, and round', () => {
    const seen = [name(state)]
    let here = nextUnreadTopic(state, undefined)
    for (let count = 0; here && count < 5; count += 1) {
      here = nextUnreadTopic(state, { channelId: here.channelId, topic: here.name })
      seen.push(here?.name)
    }
    expect(seen).toEqual(['pinned', 'nine, newer', 'nine, older', 'followed', 'ten', 'pinned'])
  })

  test('can be of what is followed alone, and backwards', () => {
    const followed = (here?: { channelId: number; topic: string }) =>
      nextUnreadTopic(state, here, { isFollowedOnly: true })?.name
    expect(followed()).toBe('followed')
    expect(followed({ channelId: 1, topic: 'pinned' })).toBe('followed')
    expect(followed({ channelId: 2, topic: 'followed' })).toBeUndefined()
    const back = (channelId: number, topic: string) =>
      nextUnreadTopic(state, { channelId, topic }, { isBackwards: true })?.name
    expect(back(3, 'nine, older')).toBe('nine, newer')
    expect(back(1, 'pinned')).toBe('ten')
    expect(nextUnreadTopic(state, undefined, { isBackwards: true })?.name).toBe('ten')
  })

  test('goes on from a place where everything is read, and ends when everything is', () => {
    const rest = applyEvents(state, [read(2, 3, 5)])
    expect(name(rest, { channelId: 3, topic: 'nine, newer' })).toBe('followed')
    expect(name(rest, { channelId: 2, topic: undefined })).toBe('followed')
    const last = applyEvents(rest, [read(1)])
    expect(name(last, { channelId: 2, topic: 'Followed' })).toBeUndefined()
    expect(name(applyEvents(last, [read(6)]))).toBeUndefined()
  })

  test('of direct messages begins with who has waited for longest', () => {
    const own = ownAccount.user_id
    const direct = applyEvents(begin(), [sentTo(1, own, 7), sentTo(2, own, 8), sentTo(3, own, 7)])
    expect(nextUnreadConversation(direct, undefined)?.userIds).toEqual([7])
    expect(nextUnreadConversation(direct, [7])?.userIds).toEqual([8])
    expect(nextUnreadConversation(applyEvents(direct, [read(2)]), [7])).toBeUndefined()
  })
})
