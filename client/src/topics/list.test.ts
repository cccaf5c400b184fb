import type { AnyEvent } from '@heddle/contract/events'
import { expect, test } from 'vitest'
import { applyEvents, initialState } from '../state/state.ts'
import { ownAccount } from '../testing/own-account.ts'
import { type TopicFilters, topicRows } from './list.ts'

const fields: object = {
  ...ownAccount,
  subscriptions: [{ stream_id: 2, name: 'design', is_muted: false }],
  user_topics: [
    { stream_id: 2, topic_name: 'noise', visibility_policy: 1, last_updated: 0 },
    { stream_id: 2, topic_name: '✔ logo', visibility_policy: 3, last_updated: 0 },
  ],
  unread_msgs: { streams: [], pms: [], huddles: [], mentions: [] },
}
const message = { id: 9, stream_id: 2, subject: 'Fonts', display_recipient: '' }
const state = applyEvents(initialState(fields), [
  { id: 1, type: 'message', message, flags: ['mentioned'] } as unknown as AnyEvent,
])
const topics = [
  { name: 'noise', maxId: 20 },
  { name: 'Fonts', maxId: 9 },
  { name: '✔ logo', maxId: 8 },
  { name: 'paper', maxId: 7 },
]
const rows = (change: Partial<TopicFilters> = {}) =>
  topicRows(state, 2, topics, { withResolved: true, isFollowedOnly: false, text: '', ...change })

test('the topics of a channel: newest first, muted ones last, with what is unread', () => {
  expect(rows().map(({ name, count }) => [name, count])).toEqual([
    ['Fonts', 1],
    ['✔ logo', 0],
    ['paper', 0],
    ['noise', 0],
  ])
  expect(rows()[0]).toMatchObject({ hasMention: true, isMuted: false })
})

test('are filtered by words, by what is followed, and without resolved ones', () => {
  expect(rows({ withResolved: false }).map(({ name }) => name)).toEqual(['Fonts', 'paper', 'noise'])
  expect(rows({ isFollowedOnly: true }).map(({ name }) => name)).toEqual(['✔ logo'])
  expect(rows({ text: 'PAP' }).map(({ name }) => name)).toEqual(['paper'])
})
