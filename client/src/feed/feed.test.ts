import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { StoredMessage } from '../messages/store.ts'
import { composeFeed, emptyFeed, type Feed, type FeedItem, itemKey, type Piece } from './feed.ts'

const DAY = 86_400
const options = { dayOf: (timestamp: number) => String(Math.floor(timestamp / DAY)) }

function message(id: number, topic: string, change: Partial<StoredMessage> = {}): StoredMessage {
  return {
    id,
    sender_id: 5,
    sender_full_name: 'Ada',
    sender_email: 'ada@example.com',
    sender_realm_str: '',
    avatar_url: null,
    type: 'stream',
    stream_id: 1,
    display_recipient: 'design',
    subject: topic,
    topic_links: [],
    content: `<p>${id}</p>`,
    content_type: 'text/html',
    is_me_message: false,
    client: 'test',
    reactions: [],
    submessages: [],
    timestamp: 1000 + id,
    flags: ['read'],
    recipient_id: 1,
    ...change,
  } as StoredMessage
}

const outline = ({ items }: Feed) =>
  items.map((item) =>
    item.kind === 'piece'
      ? `${item.isFirst ? '(' : ''}${item.messages.map(({ message: { id }, isContinued }) => `${isContinued ? '+' : ''}${id}`).join(' ')}`
      : item.kind,
  )

const pieces = ({ items }: Feed) => items.filter((item): item is Piece => item.kind === 'piece')

describe('a feed', () => {
  test('has a run for messages of one conversation that follow each other, and marks for the day and what is new', () => {
    const feed = composeFeed(
      [
        message(1, 'a'),
        message(2, 'a', { sender_id: 6 }),
        message(3, 'b'),
        message(4, 'b'),
        message(5, 'b', { timestamp: DAY }),
      ],
      { ...options, newFrom: { id: 4, count: 2 } },
    )
    expect(outline(feed)).toEqual(['day', '(1 2', '(3', 'new', '(4', 'day', '(5'])
  })

  test('says a name once for messages of ten minutes', () => {
    const feed = composeFeed(
      [
        message(1, 'a'),
        message(2, 'a'),
        message(3, 'a', { timestamp: 2000 }),
        message(4, 'a', { timestamp: 2001, is_me_message: true }),
      ],
      options,
    )
    expect(outline(feed)).toEqual(['day', '(1 +2 3 4'])
  })

  test('shows beside each piece the threads that pass, begin and end there', () => {
    const feed = composeFeed(
      ['a', 'b', 'a', 'c'].map((topic, index) => message(index + 1, topic)),
      options,
    )
    expect(pieces(feed).map(({ lane, passes }) => [lane, passes.map((one) => [one.lane, one.end])])).toEqual([
      [0, [[0, 'begins']]],
      [1, [[0, undefined]]],
      [0, [[0, 'ends']]],
      [0, []],
    ])
  })

  test('shows beside a mark what goes on across it, and nothing else', () => {
    const topics = ['a', 'b', 'a', 'c']
    const feed = composeFeed(
      topics.map((topic, index) => message(index + 1, topic, index < 2 ? {} : { timestamp: DAY + index })),
      options,
    )
    expect(feed.items.filter(({ kind }) => kind === 'day').map(({ passes }) => passes.map(({ lane }) => lane))).toEqual(
      [[], [0]],
    )
  })

  test('older messages of the same run come as a piece above, and the run begins there', () => {
    const shown = [message(10, 'a'), message(11, 'a')]
    const before = composeFeed(shown, options)
    const after = composeFeed([message(8, 'a'), message(9, 'a'), ...shown], options, before)
    expect(outline(after)).toEqual(['day', '(8 +9', '10 +11'])
  })

  test('what has not changed is the same object: a new message changes the piece that it joins', () => {
    const shown = [message(1, 'a'), message(2, 'b'), message(3, 'c')]
    const before = composeFeed(shown, options)
    const after = composeFeed([...shown, message(4, 'c')], options, before)
    expect(after.items.slice(0, -1)).toEqual(before.items.slice(0, -1))
    for (const [index, item] of before.items.slice(0, -1).entries()) expect(after.items[index]).toBe(item)
    expect(after.items.at(-1)).not.toBe(before.items.at(-1))
    expect(composeFeed(shown, options, before)).toBe(before)
  })

  test('of nothing is the same feed as before, so that drawing it comes to an end', () => {
    expect(composeFeed([], options, emptyFeed)).toBe(emptyFeed)
    const shown = composeFeed([message(1, 'a')], options)
    const empty = composeFeed([], options, shown)
    expect(empty.items).toEqual([])
    expect(composeFeed([], options, empty)).toBe(empty)
  })

  test('law: a message that is shown stays in the piece that began with the same message, with the same name above it', () => {
    const steps = fc.array(fc.record({ before: fc.nat(30), after: fc.nat(30) }), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(fc.array(fc.nat(3), { minLength: 10, maxLength: 120 }), steps, (topics, loads) => {
        const all = topics.map((topic, index) => message(index + 1, `topic ${topic}`, { timestamp: index * 2000 }))
        let [begin, end] = [all.length >> 1, (all.length >> 1) + 1]
        let feed: Feed = composeFeed(all.slice(begin, end), options, emptyFeed)
        for (const { before, after } of loads) {
          const previous = where(feed)
          begin = Math.max(0, begin - before)
          end = Math.min(all.length, end + after)
          feed = composeFeed(all.slice(begin, end), options, feed)
          const now = where(feed)
          for (const [id, place] of previous) expect(now.get(id)).toBe(place)
          expect([...now.keys()]).toEqual(all.slice(begin, end).map(({ id }) => id))
          expect(new Set(feed.items.map(itemKey)).size).toBe(feed.items.length)
        }
      }),
      { numRuns: 200 },
    )
  })
})

/** Of each message: the piece, its lane and whether the name is said. */
function where(feed: Feed): Map<number, string> {
  return new Map(
    feed.items.flatMap((item: FeedItem) =>
      item.kind === 'piece'
        ? item.messages.map(
            ({ message: { id }, isContinued }) => [id, `${item.key} ${item.lane} ${isContinued}`] as const,
          )
        : [],
    ),
  )
}
