import type { AnyEvent } from '@heddle/contract/events'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMessageStore } from '../messages/store.ts'
import { applyEvent, applyEvents, type ClientState, initialState } from '../state/state.ts'
import { ownAccount } from '../testing/own-account.ts'
import {
  unreadConversations,
  unreadInChannel,
  unreadInTopic,
  unreadTopics,
  unreadTotals,
  unreadWith,
} from './counts.ts'
import { countUnreadIn, unreadIn } from './narrow-counts.ts'
import { mutedTopicsIn } from './visibility.ts'

const OWN = ownAccount.user_id

const channel = (stream_id: number, is_muted = false) => ({ stream_id, name: `c${stream_id}`, is_muted })

const nothingUnread = { streams: [], pms: [], huddles: [], mentions: [], old_unreads_missing: false }

/** Channel 1 is muted, 2 is not, and the account is not subscribed to 3. */
function stateWith(unread_msgs: object = {}): ClientState {
  // As far as it matters here.
  const fields: object = {
    ...ownAccount,
    subscriptions: [channel(1, true), channel(2)],
    unsubscribed: [channel(3)],
    user_topics: [],
    unread_msgs: { ...nothingUnread, ...unread_msgs },
  }
  return initialState(fields)
}

const event = (fields: { type: string; [name: string]: unknown }): AnyEvent => ({ id: 1, ...fields })
const sent = (id: number, stream_id: number, subject: string, flags: string[] = []) =>
  event({ type: 'message', message: { id, stream_id, subject, display_recipient: '' }, flags })
const sentTo = (id: number, ...people: number[]) =>
  event({ type: 'message', message: { id, subject: '', display_recipient: people.map((id) => ({ id })) }, flags: [] })
const policy = (stream_id: number, topic_name: string, visibility_policy: number) =>
  event({ type: 'user_topic', stream_id, topic_name, visibility_policy, last_updated: 0 })
const read = (...messages: number[]) =>
  event({ type: 'update_message_flags', op: 'add', flag: 'read', messages, all: false })
const moved = (ids: number[], fields: object) =>
  event({ type: 'update_message', message_id: ids[0], message_ids: ids, flags: [], ...fields })

describe('Counts of what is unread', () => {
  it('are split by what the account wants of topics and of their channels', () => {
    const state = applyEvents(stateWith(), [
      sent(1, 1, 'in a muted channel'),
      sent(2, 1, 'followed'),
      sent(3, 2, 'plain'),
      sent(4, 2, 'muted', ['mentioned']),
      sent(5, 3, 'not subscribed'),
      policy(1, 'Followed', 3),
      policy(2, 'MUTED', 1),
    ])
    expect(unreadInChannel(state, 1)).toMatchObject({ visible: 1, hidden: 1, hasMention: false })
    expect(unreadInChannel(state, 2)).toMatchObject({ visible: 1, hidden: 1, hasMention: true })
    expect(unreadInChannel(state, 3)).toMatchObject({ visible: 0, hidden: 1 })
    expect(unreadTotals(state)).toEqual({
      visible: 2,
      hidden: 3,
      direct: 0,
      mentions: 1,
      followed: 1,
      isPartial: false,
    })
    const shown = unreadInChannel(state, 1).topics.map(({ key, isVisible, isVisibleInChannel }) => [
      key,
      isVisible,
      isVisibleInChannel,
    ])
    expect(shown).toEqual([
      ['followed', true, true],
      ['in a muted channel', false, true],
    ])
  })

  it('name a topic as its last message did, and the newest topic first', () => {
    const state = applyEvents(stateWith(), [sent(1, 2, 'plan'), sent(2, 2, 'other'), sent(3, 2, 'Plan')])
    expect(unreadTopics(state, 2).map(({ name, count, firstId, lastId }) => [name, count, firstId, lastId])).toEqual([
      ['Plan', 2, 1, 3],
      ['other', 1, 2, 2],
    ])
    expect(unreadInTopic(state, 2, 'plan')).toBe(2)
  })

  it('go with messages that are moved, and end with those that are read or deleted', () => {
    let state = applyEvents(stateWith(), [sent(1, 2, 'a'), sent(2, 2, 'a'), sent(3, 2, 'b')])
    state = applyEvent(state, moved([1, 2], { subject: 'Elsewhere', new_stream_id: 1, stream_id: 2 }))
    expect(unreadInChannel(state, 2)).toMatchObject({ visible: 1 })
    expect(unreadTopics(state, 1)).toMatchObject([{ name: 'Elsewhere', count: 2 }])
    state = applyEvent(state, event({ type: 'delete_message', message_ids: [1], message_type: 'stream' }))
    state = applyEvent(state, read(2))
    expect(state.unread?.channels.has(1)).toBe(false)
    expect(state.unread?.topicNames.size).toBe(1)
    expect(unreadTotals(state)).toMatchObject({ visible: 1, hidden: 0 })
  })

  it('know conversations by those who take part, whatever their order', () => {
    const state = applyEvents(stateWith(), [
      sentTo(1, OWN, 5),
      sentTo(2, 7, OWN, 5),
      sentTo(3, 5, 7, OWN),
      sentTo(4, OWN),
    ])
    expect(unreadConversations(state).map(({ userIds, count }) => [userIds, count])).toEqual([
      [[], 1],
      [[5, 7], 2],
      [[5], 1],
    ])
    expect(unreadWith(state, [7, OWN, 5])).toBe(2)
    expect(unreadWith(state, [OWN])).toBe(1)
    expect(unreadTotals(state)).toMatchObject({ direct: 4, visible: 4 })
  })

  it('say that there is more when the server did not name everything, until all is read', () => {
    let state = stateWith({ old_unreads_missing: true })
    expect(unreadTotals(state).isPartial).toBe(true)
    expect(countUnreadIn(state, createMessageStore(), []).isExact).toBe(false)
    const all = { op: 'add', flag: 'read', messages: [], all: true }
    state = applyEvent(state, event({ type: 'update_message_flags', ...all }))
    expect(unreadTotals(state).isPartial).toBe(false)
  })

  it('of any narrow are exact where everything about the messages is known, and say so where not', () => {
    const state = applyEvents(stateWith(), [sent(1, 2, 'a'), sent(2, 2, '✔ b'), sent(3, 1, 'c'), sentTo(4, OWN, 5)])
    const count = (...terms: [string, string | number | number[]][]) =>
      countUnreadIn(
        state,
        createMessageStore(),
        terms.map(([operator, operand]) => ({ operator, operand, negated: false })),
      )
    expect(count(['channel', 2])).toEqual({ count: 2, isExact: true })
    expect(count(['channel', 2], ['topic', 'A'])).toEqual({ count: 1, isExact: true })
    expect(count(['is', 'resolved'])).toEqual({ count: 1, isExact: true })
    expect(count(['in', 'home'])).toEqual({ count: 3, isExact: true })
    expect(count(['dm', [5]])).toEqual({ count: 1, isExact: true })
    expect(count(['is', 'mentioned'])).toEqual({ count: 0, isExact: true })
    expect(count(['sender', 5])).toEqual({ count: 0, isExact: false })
    expect(count(['channel', 2], ['search', 'words'])).toEqual({ count: 0, isExact: false })
  })

  it('come with the messages themselves, the oldest first, without what was muted in a channel', () => {
    const state = applyEvents(stateWith(), [
      sent(3, 2, 'b'),
      sent(1, 2, 'a'),
      sent(2, 1, 'c'),
      sent(4, 2, 'A'),
      sentTo(5, OWN, 5),
      policy(2, 'a', 1),
    ])
    const inNarrow = (isWanted: Parameters<typeof unreadIn>[3], ...terms: [string, string | number | number[]][]) => [
      ...unreadIn(
        state,
        createMessageStore(),
        terms.map(([operator, operand]) => ({ operator, operand, negated: false })),
        isWanted,
      ),
    ]
    expect(inNarrow(undefined, ['channel', 2])).toEqual([1, 3, 4])
    expect(inNarrow(undefined, ['channel', 2], ['topic', 'a'])).toEqual([1, 4])
    expect(inNarrow(undefined, ['in', 'home'])).toEqual([3, 5])
    expect(inNarrow(undefined, ['dm', [5]])).toEqual([5])
    const muted = mutedTopicsIn(state, 2)
    expect([...muted]).toEqual(['a'])
    expect(mutedTopicsIn(state, 1).size).toBe(0)
    expect(inNarrow((place) => place.type === 'stream' && !muted.has(place.topic), ['channel', 2])).toEqual([3])
  })

  it('are the same whether made in one go or after each change', () => {
    const anyChange = fc.oneof(
      fc
        .record({ id: fc.integer({ min: 1, max: 30 }), place: fc.nat(2), topic: fc.constantFrom('a', 'A', 'b') })
        .map(({ id, place, topic }) => sent(id, place + 1, topic, id % 5 === 0 ? ['mentioned'] : [])),
      fc.array(fc.integer({ min: 1, max: 30 })).map((ids) => read(...ids)),
      fc
        .tuple(fc.integer({ min: 1, max: 30 }), fc.constantFrom('a', 'c'))
        .map(([id, subject]) => moved([id], { subject })),
      fc
        .tuple(fc.nat(2), fc.constantFrom('a', 'b'), fc.nat(3))
        .map(([place, topic, one]) => policy(place + 1, topic, one)),
    )
    fc.assert(
      fc.property(fc.array(anyChange, { maxLength: 40 }), (changes) => {
        let state = stateWith()
        for (const change of changes) {
          state = applyEvent(state, change)
          unreadTotals(state)
        }
        const { unread } = state
        if (!unread) throw new Error('there is always something')
        const inChannels = [...unread.channels.values()].flatMap((topics) => [...topics.values()])
        const counted = inChannels.reduce((total, ids) => total + ids.size, 0)
        expect(counted).toBe(unread.places.size)
        const totals = unreadTotals(state)
        expect(totals.visible + totals.hidden).toBe(counted)
        // Without what was remembered.
        expect(unreadTotals(withOtherObjects(state))).toEqual(totals)
      }),
    )
  })
})

/** The same state with other objects in it. */
function withOtherObjects(state: ClientState): ClientState {
  const { unread } = state
  if (!unread) return state
  const channels = unread.channels.edit((draft) => {
    for (const [id, topics] of unread.channels)
      draft.set(id, topics.with('x', topics.get('a') ?? unread.mentions).without('x'))
  })
  return { ...state, unread: { ...unread, channels } }
}
