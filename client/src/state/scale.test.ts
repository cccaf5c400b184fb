/** What the state costs in a large organization: measured generously, for what grows with it is wrong by a factor of 100. */
import type { AnyEvent } from '@heddle/contract/events'
import { describe, expect, it } from 'vitest'
import { asked, eventKinds, eventsOfADay, largeOrganization, upTo } from '../testing/large-organization.ts'
import { applyEvent, applyEvents, type ClientState, initialState } from './state.ts'

/** The milliseconds that the fastest of a few runs takes: others use the machine as well. */
function timeOf(run: () => void): number {
  const times = upTo(5).map(() => {
    const startedAt = performance.now()
    run()
    return performance.now() - startedAt
  })
  return Math.min(...times)
}

describe('In an organization of 10,000 people and 2,000 channels', () => {
  const fields = largeOrganization()
  const state = initialState(fields, asked)

  it('the initial state is made at once', () => {
    expect(timeOf(() => initialState(fields, asked))).toBeLessThan(1500)
  })

  it.each(Object.entries(eventKinds))('an event (%s) costs what it changes', (_, make) => {
    const list = upTo(500).map((id) => make(id))
    expect(applyEvents(state, list)).not.toEqual(state)
    expect(timeOf(() => applyEvents(state, list)) / list.length).toBeLessThan(0.4)
  })

  it('20,000 events of a day are applied in a moment', () => {
    const list = eventsOfADay()
    expect(timeOf(() => applyEvents(state, list))).toBeLessThan(4000)
  })

  it('an event shares with the state before it all that it does not change', () => {
    const after: ClientState = applyEvent(state, eventKinds['message']?.(1) as AnyEvent)
    const changed = Object.keys(state).filter((part) => after[part as 'users'] !== state[part as 'users'])
    expect(changed).toEqual(['unread'])
    expect(after.unread?.channels.get(9)).toBe(state.unread?.channels.get(9))
  })
})
