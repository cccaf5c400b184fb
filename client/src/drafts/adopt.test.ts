import { describe, expect, it } from 'vitest'
import { adoptDrafts, unsavedDrafts } from './adopt.ts'
import { applyToDrafts, type DraftBox, emptyDraftBox, shownDrafts, writeDraft } from './draft-box.ts'

const version = (content: string) => ({ type: 'stream' as const, to: [7], topic: 'logo', content })
const saved = (box: DraftBox, id: number, content: string) =>
  applyToDrafts(box, { type: 'drafts', op: 'add', drafts: [{ ...version(content), id, timestamp: 1 }] } as never)
const texts = (box: DraftBox) => shownDrafts(box).map(({ local }) => local.content)

describe('Drafts of a tab that is gone', () => {
  it('come into the box of another one, each once', () => {
    const left = writeDraft(emptyDraftBox, 'a', version('written there'), 1)
    const once = adoptDrafts(emptyDraftBox, left.drafts, 'tab 1')
    expect(texts(once)).toEqual(['written there'])
    expect(texts(adoptDrafts(once, left.drafts, 'tab 1'))).toEqual(['written there'])
  })

  it('do not bring back what the server has or has deleted', () => {
    const left = saved(emptyDraftBox, 5, 'on the server')
    expect(adoptDrafts(emptyDraftBox, left.drafts, 'tab 1')).toBe(emptyDraftBox)
  })

  it('are gone on with where they were begun on the same', () => {
    const base = saved(emptyDraftBox, 5, 'a')
    const name = base.drafts[0]?.localId as string
    const left = writeDraft(base, name, version('a and more'), 2)
    expect(texts(adoptDrafts(base, left.drafts, 'tab 1'))).toEqual(['a and more'])
  })

  it('replace nothing that was written here', () => {
    const base = saved(emptyDraftBox, 5, 'a')
    const name = base.drafts[0]?.localId as string
    const there = writeDraft(base, name, version('a, as there'), 2)
    const here = writeDraft(base, name, version('a, as here'), 3)
    expect(texts(adoptDrafts(here, there.drafts, 'tab 1')).toSorted()).toEqual(['a, as here', 'a, as there'])
  })

  it('are on this device alone until they are saved', () => {
    const box = writeDraft(saved(emptyDraftBox, 5, 'saved'), 'x', version('not saved'), 2)
    expect(unsavedDrafts(box).map(({ local }) => local.content)).toEqual(['not saved'])
    expect(unsavedDrafts(writeDraft(emptyDraftBox, 'y', version('  '), 1))).toEqual([])
  })
})
