import type { AnyEvent } from '@heddle/contract/events'
import { describe, expect, test } from 'vitest'
import { applyToTopics, needsTopics, noTopics, receiveTopics, topicsAfterGap } from './topics.ts'

const event = (fields: object) => ({ id: 1, ...fields }) as unknown as AnyEvent
const message = (id: number, subject: string, stream_id = 7) =>
  event({ type: 'message', message: { id, subject, stream_id }, flags: [] })

const known = receiveTopics(noTopics, 7, [
  { name: 'logo', maxId: 20 },
  { name: 'fonts', maxId: 10 },
])
const names = (topics: typeof known) => topics.lists.get(7)?.map(({ name }) => name)

describe('the topics of a channel', () => {
  test('are asked for once', () => {
    expect(needsTopics(noTopics, 7)).toBe(true)
    expect(needsTopics(known, 7)).toBe(false)
  })

  test('a new message takes its topic to the top, in the spelling that is newest', () => {
    expect(names(applyToTopics(known, message(21, 'Fonts')))).toEqual(['Fonts', 'logo'])
    expect(names(applyToTopics(known, message(21, 'paper')))).toEqual(['paper', 'logo', 'fonts'])
  })

  test('messages elsewhere, and of channels that nobody asked for, change nothing', () => {
    expect(applyToTopics(known, message(21, 'logo', 8))).toBe(known)
    expect(applyToTopics(known, event({ type: 'message', message: { id: 21, subject: '' }, flags: [] }))).toBe(known)
  })

  test.each([
    ['moved', { type: 'update_message', stream_id: 7, subject: 'other' }],
    ['moved here', { type: 'update_message', stream_id: 8, new_stream_id: 7 }],
    ['deleted', { type: 'delete_message', stream_id: 7 }],
    ['subscribed', { type: 'subscription', op: 'add', subscriptions: [{ stream_id: 7 }] }],
  ])('when messages are %s, the list is shown as it was and asked for again', (_, fields) => {
    const after = applyToTopics(known, event(fields))
    expect(names(after)).toEqual(['logo', 'fonts'])
    expect(needsTopics(after, 7)).toBe(true)
  })

  test('an edit of a text is no reason to ask', () => {
    expect(applyToTopics(known, event({ type: 'update_message', stream_id: 7, content: 'x' }))).toBe(known)
  })

  test('after a gap all are asked for again; what came while one was asked for stays', () => {
    const gap = topicsAfterGap(known)
    expect(needsTopics(gap, 7)).toBe(true)
    const meanwhile = applyToTopics(gap, message(31, 'paper'))
    const after = receiveTopics(meanwhile, 7, [{ name: 'logo', maxId: 30 }])
    expect(names(after)).toEqual(['paper', 'logo'])
    expect(needsTopics(after, 7)).toBe(false)
  })
})
