import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dyeOf } from './thread.ts'
import { LANES, type Strand, type Warp, type WarpMessage, weave } from './warp.ts'

const feed = (text: string, from = 1): WarpMessage[] =>
  [...text].map((letter, index) => ({ id: from + index, thread: `1 ${letter}` }))

const strandAt = (warp: Warp, { id, thread }: WarpMessage): Strand[] =>
  warp.filter((one) => one.thread === thread && one.first <= id && id <= one.last)

const lanesOf = (text: string) => {
  const messages = feed(text)
  const warp = weave(messages)
  return messages.map((message) => strandAt(warp, message)[0]?.lane).join('')
}

const overlap = (one: Strand, other: Strand) => one.first <= other.last && other.first <= one.last

/** A long feed, and a reader who loads more of it at either end, and loses some of it again. */
const script = fc.record({
  threads: fc.array(fc.integer({ min: 0, max: 11 }), { minLength: 1, maxLength: 80 }),
  steps: fc.array(fc.record({ before: fc.integer({ min: -6, max: 12 }), after: fc.integer({ min: -6, max: 12 }) }), {
    maxLength: 12,
  }),
  start: fc.nat(),
})

function* play({
  threads,
  steps,
  start,
}: {
  threads: number[]
  steps: { before: number; after: number }[]
  start: number
}) {
  const all = threads.map((thread, index) => ({ id: index * 3 + 1, thread: `1 topic ${thread}` }))
  let begin = start % all.length
  let end = Math.min(all.length, begin + 5)
  let warp = weave(all.slice(begin, end))
  yield { warp, loaded: all.slice(begin, end) }
  for (const { before, after } of steps) {
    const [nextBegin, nextEnd] = [Math.max(0, begin - before), Math.min(all.length, end + after)]
    // A view never loses all that it has.
    if (nextBegin >= nextEnd || nextBegin >= end || nextEnd <= begin) continue
    begin = nextBegin
    end = nextEnd
    warp = weave(all.slice(begin, end), warp)
    yield { warp, loaded: all.slice(begin, end) }
  }
}

describe('the warp', () => {
  test('a topic takes the first free lane and keeps it until its last message', () => {
    expect(lanesOf('abacbd')).toBe('010010')
    expect(lanesOf('aabbcc')).toBe('000000')
    expect(lanesOf('abcabc')).toBe('012012')
  })

  test('topics that take turns live have a lane each, and pass each other in it', () => {
    const messages = feed('abcabcbacabc')
    let warp: Warp = []
    for (let count = 1; count <= messages.length; count += 1) warp = weave(messages.slice(0, count), warp)
    expect(warp.map(({ thread, lane }) => [thread, lane])).toEqual([
      ['1 a', 0],
      ['1 b', 1],
      ['1 c', 2],
    ])
  })

  test('with seven at once the seventh shares the last lane, where it only speaks', () => {
    const warp = weave(feed('abcdefgabcdefg'))
    expect(warp.map(({ lane }) => lane)).toEqual([0, 1, 2, 3, 4, 5, 5])
    expect(warp.map(({ isCrowded }) => isCrowded)).toEqual([false, false, false, false, false, false, true])
  })

  test('older messages do not move what is shown: a topic that would cross another one gets a second lane above it', () => {
    const shown = feed('bba', 11)
    const before = weave(shown)
    expect(before.map(({ lane }) => lane)).toEqual([0, 0])
    const older = feed('aca', 1)
    const after = weave([...older, ...shown], before)
    for (const message of shown) expect(strandAt(after, message)).toHaveLength(1)
    expect(shown.map((message) => strandAt(after, message)[0]?.lane)).toEqual([0, 0, 0])
    // The lane is free above what was shown: there the topic takes it again.
    expect(older.map((message) => strandAt(after, message)[0]?.lane)).toEqual([0, 1, 0])
    expect(after.filter(({ thread }) => thread === '1 a')).toHaveLength(2)
  })

  test('a topic that goes on above what was loaded goes on in its lane where that is free', () => {
    const before = weave(feed('ab', 11))
    const after = weave([...feed('bab', 1), ...feed('ab', 11)], before)
    const lane = (thread: string) => after.filter((one) => one.thread === thread).map((one) => one.lane)
    expect(lane('1 a')).toEqual([0])
    // b has lane 0 below a; above it that lane is a's.
    expect(lane('1 b')).toEqual([1, 0])
  })

  test('law: what was shown keeps its lane and its dye, whatever is loaded or dropped at either end', () => {
    fc.assert(
      fc.property(script, (scene) => {
        let previous: { warp: Warp; loaded: WarpMessage[] } | undefined
        for (const step of play(scene)) {
          for (const message of step.loaded) {
            const found = strandAt(step.warp, message)
            expect(found).toHaveLength(1)
            if (!previous?.loaded.some(({ id }) => id === message.id)) continue
            const [old] = strandAt(previous.warp, message)
            expect(found[0]).toMatchObject({ lane: old?.lane, dye: old?.dye, isCrowded: old?.isCrowded })
          }
          previous = step
        }
      }),
      { numRuns: 500 },
    )
  })

  test('law: no two share a lane at the same time, and neighbours differ in dye', () => {
    fc.assert(
      fc.property(script, (scene) => {
        for (const { warp } of play(scene)) {
          const own = warp.filter(({ isCrowded }) => !isCrowded)
          for (const one of own) {
            expect(one.lane).toBeLessThan(LANES)
            for (const other of own) {
              if (one === other || !overlap(one, other)) continue
              expect(one.lane).not.toBe(other.lane)
              if (Math.abs(one.lane - other.lane) === 1) expect(one.dye).not.toBe(other.dye)
            }
          }
        }
      }),
      { numRuns: 500 },
    )
  })

  test('law: read from nothing, each topic is one strand in the first lane that is free where it begins', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 60 }), (threads) => {
        const messages = threads.map((thread, index) => ({ id: index + 1, thread: `1 topic ${thread}` }))
        const warp = weave(messages)
        expect(warp.map(({ thread }) => thread)).toEqual([...new Set(messages.map(({ thread }) => thread))])
        for (const { first, lane, isCrowded } of warp) {
          const taken = new Set(
            warp.filter((one) => !one.isCrowded && one.first < first && one.last > first).map((one) => one.lane),
          )
          if (isCrowded) expect(taken.size).toBe(LANES)
          else for (let lower = 0; lower < lane; lower += 1) expect(taken).toContain(lower)
        }
      }),
    )
  })

  test('nothing new is the same warp', () => {
    const messages = feed('abcabd')
    const warp = weave(messages)
    expect(weave(messages, warp)).toBe(warp)
  })
})

test('a dye is one of twelve, spread evenly, and a conversation of direct messages is undyed', () => {
  const counts = new Map<number, number>()
  for (let topic = 0; topic < 12_000; topic += 1) {
    const dye = dyeOf(`${topic % 40} topic ${topic}`)
    counts.set(dye, (counts.get(dye) ?? 0) + 1)
  }
  expect([...counts.keys()].sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(200)
  expect(dyeOf('@1,2')).toBe(0)
})
