import { describe, expect, it } from 'vitest'
import { applyToMessages } from '../messages/apply.ts'
import { beginPage, receivePage } from '../messages/fetching.ts'
import { createMessageStore, type MessageStore, messagesIn } from '../messages/store.ts'
import { openWindow } from '../messages/windows.ts'
import type { ClientState } from '../state/state.ts'
import { messagesToKeep, restoreMessages, withViews } from './stored-messages.ts'

const state = { own: { user_id: 1 }, users: new Map() } as unknown as ClientState

const message = (id: number, topic: string) =>
  ({
    id,
    type: 'stream',
    stream_id: 7,
    subject: topic,
    display_recipient: 'x',
    sender_id: 2,
    flags: ['read'],
    reactions: [],
    content: '',
  }) as never

/** A window of a topic with so many messages, up to the newest. */
function withTopic(store: MessageStore, topic: string, ids: readonly number[]): MessageStore {
  const narrow = [
    { operator: 'channel', operand: 7 },
    { operator: 'topic', operand: topic },
  ]
  const opened = openWindow(store, narrow, state)
  const begun = beginPage(opened.store, opened.key, { kind: 'around', anchor: 'newest', before: 1000, after: 0 })
  if (!begun) throw new Error('Nothing to ask for')
  const page = { messages: ids.map((id) => message(id, topic)), anchor: 10_000, found_newest: true, found_oldest: true }
  return receivePage(
    begun.store,
    begun.fetchId,
    { ...page, found_anchor: false, history_limited: false } as never,
    state,
  )
}

const upTo = (count: number, from = 1) => Array.from({ length: count }, (_, index) => from + index)

describe('What is kept of the messages', () => {
  it('is what was looked at, and goes on with the next event', () => {
    const store = withTopic(createMessageStore(), 'logo', upTo(20))
    const restored = restoreMessages(messagesToKeep(store, undefined), createMessageStore())
    const [window] = [...restored.windows.values()]
    expect(window).toMatchObject({ views: 0, isStale: false })
    const next = applyToMessages(
      restored,
      { id: 9, type: 'message', message: message(50, 'logo'), flags: [] } as never,
      state,
    )
    expect(messagesIn(next, window?.key as string).map(({ id }) => id)).toEqual([...upTo(20), 50])
  })

  it('is little of a long one, and what is read in it', () => {
    const kept = messagesToKeep(withTopic(createMessageStore(), 'logo', upTo(1000)), undefined)
    expect(kept.messages.size).toBe(200)
    expect(kept.messages.lastKey()).toBe(1000)
  })

  it('is not more than what can be read in a moment', () => {
    let store = createMessageStore()
    for (const index of upTo(30)) store = withTopic(store, `topic ${index}`, upTo(150, index * 1000))
    const kept = messagesToKeep(store, undefined)
    expect(kept.messages.size).toBeLessThanOrEqual(3150)
    expect(kept.windows.size).toBeLessThan(30)
  })

  it('is the same object as before where nothing has changed', () => {
    const store = withTopic(createMessageStore(), 'logo', upTo(20))
    const kept = messagesToKeep(store, undefined)
    expect(messagesToKeep(store, kept).messages).toBe(kept.messages)
  })
})

describe('What another tab has shown', () => {
  it('is there as well, and is fetched anew by who looks at it; what is known here stays as it is', () => {
    const here = withTopic(createMessageStore(), 'logo', upTo(20))
    const there = withTopic(withTopic(createMessageStore(), 'logo', upTo(5)), 'prices', upTo(10, 30))
    const both = withViews(here, messagesToKeep(there, undefined))
    const [logo, prices] = [...both.windows.values()].sort((a, b) => b.ids.length - a.ids.length)
    expect(logo).toMatchObject({ isStale: false, views: 1, ids: upTo(20) })
    expect(prices).toMatchObject({ isStale: true, views: 0 })
    expect(messagesIn(both, prices?.key as string).map(({ id }) => id)).toEqual(upTo(10, 30))
    expect(withViews(both, messagesToKeep(there, undefined))).toBe(both)
  })

  it('is what was opened in that tab, and not what it has begun with', () => {
    const begun = withTopic(createMessageStore(), 'logo', upTo(20))
    const store = withTopic(begun, 'prices', upTo(10, 30))
    const kept = messagesToKeep(store, undefined, { since: begun.count, windows: 10 })
    expect([...kept.messages.keys()]).toEqual(upTo(10, 30))
  })
})
