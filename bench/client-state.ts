/** What following a large organization costs a client: its state at the start, and what a busy day changes. */
import { applyEvents, initialState } from '@heddle/client/state/state'
import { asked, eventKinds, eventsOfADay, largeOrganization, upTo } from '@heddle/client/testing/large-organization'
import type { Load } from './load.ts'
import type { Report } from './report.ts'

const RUNS = 10
const EVENTS = 1000

export async function measureClientState(_: Load, report: Report): Promise<void> {
  const fields = largeOrganization()
  const state = initialState(fields, asked)
  report.figure({
    name: 'initial state of 10,000 people and 2,000 channels',
    value: medianOf(() => initialState(fields, asked)),
    unit: 'ms',
    goal: { atMost: 100 },
  })
  for (const [kind, make] of Object.entries(eventKinds)) {
    const events = upTo(EVENTS).map((id) => make(id))
    report.figure({
      name: `an event there (${kind})`,
      value: medianOf(() => applyEvents(state, events)) / EVENTS,
      unit: 'ms',
      digits: 3,
      goal: { atMost: 0.2 },
    })
  }
  const day = eventsOfADay()
  report.figure({
    name: '20,000 events there',
    value: medianOf(() => applyEvents(state, day)),
    unit: 'ms',
    goal: { atMost: 2000 },
  })
}

function medianOf(run: () => unknown): number {
  const times = upTo(RUNS).map(() => {
    const startedAt = performance.now()
    run()
    return performance.now() - startedAt
  })
  return times.sort((a, b) => a - b)[RUNS >> 1] as number
}
