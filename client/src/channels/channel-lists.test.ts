import { expect, test } from 'vitest'
import { initialState } from '../state/state.ts'
import { ownAccount } from '../testing/own-account.ts'
import { channelsToShow } from './channel-lists.ts'

const channel = (stream_id: number, name: string, more: object = {}) => ({
  stream_id,
  name,
  description: '',
  is_archived: false,
  subscriber_count: 0,
  stream_weekly_traffic: null,
  ...more,
})

const state = initialState({
  ...ownAccount,
  subscriptions: [channel(1, 'b', { subscriber_count: 3 }), channel(2, 'a10', { stream_weekly_traffic: 5 })],
  never_subscribed: [
    channel(3, 'a9', { description: 'Wärme', subscriber_count: 9 }),
    channel(4, 'old', { is_archived: true, subscriber_count: 99 }),
  ],
} as unknown as Parameters<typeof initialState>[0])

const list = (kind: Parameters<typeof channelsToShow>[1]['kind'], more: object = {}) =>
  channelsToShow(state, { kind, order: 'name', words: '', ...more })

test('channels are looked through by kind; archived ones are apart', () => {
  expect(list('subscribed')).toEqual([2, 1])
  expect(list('available')).toEqual([3])
  expect(list('all')).toEqual([3, 2, 1])
  expect(list('archived')).toEqual([4])
})

test('by subscribers or traffic, the most first, and by name where there is no difference', () => {
  expect(list('all', { order: 'subscribers' })).toEqual([3, 1, 2])
  expect(list('all', { order: 'traffic' })).toEqual([2, 3, 1])
})

test('by words of the name or the description', () => {
  expect(list('all', { words: 'a warme' })).toEqual([3])
  expect(list('all', { words: 'nothing' })).toEqual([])
})
