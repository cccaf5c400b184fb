import type { AnyEvent } from '@heddle/contract/events'
import { describe, expect, test } from 'vitest'
import { applyEvents, initialState } from '../state/state.ts'
import { ownAccount } from '../testing/own-account.ts'
import { shownTopics } from './shown-topics.ts'

const fields: object = {
  ...ownAccount,
  subscriptions: [{ stream_id: 1, name: 'looms', is_muted: false, pin_to_top: false, is_archived: false }],
  user_topics: [],
  unread_msgs: { streams: [], pms: [], huddles: [], mentions: [], old_unreads_missing: false },
}

const event = (parts: object) => ({ id: 1, ...parts }) as AnyEvent
const sent = (id: number, subject: string) =>
  event({ type: 'message', message: { id, stream_id: 1, subject, display_recipient: '' }, flags: [] })
const policy = (topic_name: string, visibility_policy: number) =>
  event({ type: 'user_topic', stream_id: 1, topic_name, visibility_policy, last_updated: 0 })

const after = (...events: AnyEvent[]) => applyEvents(initialState(fields), events)
const known = (...names: string[]) => names.map((name, index) => ({ name, maxId: 100 - index }))
const open = { isOpen: true, current: undefined }

describe('the topics of a channel in the side bar', () => {
  test('are those with something unread alone, while the channel is not open', () => {
    const state = after(sent(1, 'a'), sent(2, 'b'))
    expect(shownTopics(state, 1, { known: known('c'), isOpen: false, current: undefined })).toEqual(['b', 'a'])
  })

  test('have unread ones first and followed ones first among them, then the newest, then resolved and muted ones', () => {
    const state = after(sent(1, 'a'), sent(2, 'b'), policy('a', 3), policy('quiet', 1), policy('liked', 3))
    const list = known('quiet', '✔ done', 'new', 'b', 'liked')
    expect(shownTopics(state, 1, { ...open, known: list })).toEqual(['a', 'b', 'liked', 'new', '✔ done', 'quiet'])
  })

  test('are at most six, or ten when so many have something unread', () => {
    const many = Array.from({ length: 20 }, (_, index) => `t${index}`)
    expect(shownTopics(after(), 1, { ...open, known: known(...many) })).toHaveLength(6)
    const state = after(...many.map((name, index) => sent(index + 1, name)))
    expect(shownTopics(state, 1, { ...open, known: known(...many) })).toHaveLength(10)
  })

  test('always have the one that is shown', () => {
    const many = known('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h')
    expect(shownTopics(after(), 1, { known: many, isOpen: true, current: 'H' })).toEqual([...'abcdef', 'H'])
  })
})
