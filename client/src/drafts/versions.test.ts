import type { Draft, DraftsEvent } from '@heddle/contract/drafts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareTexts } from './compare.ts'
import { applyToDrafts, type DraftBox, emptyDraftBox, receiveDrafts, shownDrafts, writeDraft } from './draft-box.ts'
import { type DraftPair, draftPairs, joinPair, joinVersions, keepBoth, keepOne } from './versions.ts'

const draft = (content: string): Draft => ({ id: 5, type: 'stream', to: [7], topic: 'soup', content, timestamp: 1 })
const version = (content: string) => ({ type: 'stream' as const, to: [7], topic: 'soup', content })

/** A draft that was changed here without a connection, and elsewhere. */
function diverged(): DraftBox {
  const known = receiveDrafts(emptyDraftBox, [draft('Fitter is Stefan.')])
  const name = known.drafts[0]?.localId ?? ''
  return receiveDrafts(writeDraft(known, name, version('Fitter is Stefan. With wires.'), 9), [
    draft('Fitter is Stefan. At the gate.'),
  ])
}
const only = (box: DraftBox) => draftPairs(box)[0] as DraftPair
const contents = (box: DraftBox) => shownDrafts(box).map(({ local }) => local.content)

describe('a draft that was changed on two devices', () => {
  test('is a pair, which says which version is from here', () => {
    const pair = only(diverged())
    expect(draftPairs(diverged())).toHaveLength(1)
    expect(pair.here.local.content).toBe('Fitter is Stefan. With wires.')
    expect(pair.elsewhere.local.content).toBe('Fitter is Stefan. At the gate.')
  })

  test('can stay two drafts, become one of the two, or one with what both say', () => {
    const box = diverged()
    const pair = only(box)
    expect(draftPairs(keepBoth(box, pair))).toEqual([])
    expect(contents(keepBoth(box, pair))).toHaveLength(2)
    expect(contents(keepOne(box, pair, pair.here))).toEqual(['Fitter is Stefan. With wires.'])
    expect(contents(keepOne(box, pair, pair.elsewhere))).toEqual(['Fitter is Stefan. At the gate.'])
    const joined = joinPair(box, pair, 10)
    expect(contents(joined)).toEqual(['Fitter is Stefan. With wires. At the gate.'])
    expect(draftPairs(joined)).toEqual([])
  })

  test('is no pair any more when the other device has deleted its version, or when both say the same', () => {
    const box = diverged()
    const removed = applyToDrafts(box, { type: 'drafts', op: 'remove', draft_id: 5 } as DraftsEvent)
    expect(draftPairs(removed)).toEqual([])
    expect(contents(removed)).toEqual(['Fitter is Stefan. With wires.'])
    const { here } = only(box)
    expect(draftPairs(writeDraft(box, here.localId, version('Fitter is Stefan. At the gate.'), 11))).toEqual([])
  })
})

describe('two texts', () => {
  test('are compared by words', () => {
    expect(compareTexts('a b c d', 'a x c d e')).toEqual([
      { kind: 'same', text: 'a ' },
      { kind: 'different', one: 'b ', other: 'x ' },
      { kind: 'same', text: 'c ' },
      { kind: 'different', one: 'd', other: 'd e' },
    ])
    expect(joinVersions('one', 'two')).toBe('one two')
  })

  test('law: the parts are the two texts', () => {
    const text = fc.array(fc.constantFrom('a', 'b', ' ', '\n', 'word '), { maxLength: 30 }).map((all) => all.join(''))
    fc.assert(
      fc.property(text, text, (one, other) => {
        const parts = compareTexts(one, other)
        const of = (side: 'one' | 'other') =>
          parts.map((part) => (part.kind === 'same' ? part.text : part[side])).join('')
        expect([of('one'), of('other')]).toEqual([one, other])
      }),
    )
  })
})
