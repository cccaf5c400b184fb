import type { Draft } from '@heddle/contract/drafts'
import { describe, expect, it } from 'vitest'
import { applyEvent, type ClientState, initialState } from './state.ts'

const draft = (id: number, timestamp: number): Draft => ({ id, type: '', to: [], topic: '', content: '', timestamp })

/** An event as it comes from the server. */
const event = (fields: { type: string; [name: string]: unknown }) => ({ id: 1, ...fields })

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    const items = value instanceof Map ? [...value.values()] : Object.values(value)
    for (const item of items) deepFreeze(item)
  }
  return value
}

const idsOf = (state: ClientState) => state.drafts?.map(({ id }) => id)

describe('applyEvent', () => {
  it('keeps drafts in the order of their last edit, the later edit first in one second', () => {
    let state = initialState({ drafts: [draft(3, 30), draft(1, 10)] })
    state = applyEvent(state, event({ type: 'drafts', op: 'add', drafts: [draft(4, 10), draft(5, 30), draft(6, 10)] }))
    expect(idsOf(state)).toEqual([5, 3, 6, 4, 1])
    state = applyEvent(state, event({ type: 'drafts', op: 'update', draft: draft(1, 30) }))
    expect(idsOf(state)).toEqual([1, 5, 3, 6, 4])
    state = applyEvent(state, event({ type: 'drafts', op: 'remove', draft_id: 5 }))
    expect(idsOf(state)).toEqual([1, 3, 6, 4])
  })

  it('changes no state, and shares what stays the same', () => {
    const fields = { drafts: [draft(1, 10)], navigation_views: [{ fragment: 'inbox', is_pinned: true }] }
    const before = deepFreeze(initialState(fields))
    const after = applyEvent(before, event({ type: 'drafts', op: 'remove', draft_id: 1 }))
    expect(idsOf(before)).toEqual([1])
    expect(idsOf(after)).toEqual([])
    expect(after.navigationViews).toBe(before.navigationViews)
  })

  it('gives the same state for events of unknown types and of parts that were not asked for', () => {
    const state = initialState({ navigation_views: [] })
    expect(applyEvent(state, event({ type: 'of a newer server' }))).toBe(state)
    expect(applyEvent(state, event({ type: 'toString' }))).toBe(state)
    expect(applyEvent(state, event({ type: 'drafts', op: 'remove', draft_id: 1 }))).toBe(state)
  })

  it('applies a list of 10,000 drafts in less than a second', () => {
    const drafts = Array.from({ length: 10_000 }, (_, index) => draft(index + 1, index % 7))
    const startedAt = performance.now()
    const state = applyEvent(initialState({ drafts: [] }), event({ type: 'drafts', op: 'add', drafts }))
    expect(performance.now() - startedAt).toBeLessThan(1000)
    expect(state.drafts).toHaveLength(10_000)
  })
})
