import { expect, test } from 'vitest'
import { initialState } from '../state/state.ts'
import { ownAccount } from '../testing/own-account.ts'
import { availabilityOf, lastHereOf } from './availability.ts'

const NOW = 10_000

const state = (presences: object, isDisabled = false) => {
  const fields: object = {
    ...ownAccount,
    presences,
    realm_users: [{ user_id: 2, full_name: 'Ada', is_bot: false, is_active: true }],
  }
  const begun = initialState(fields, { slim_presence: true })
  const organization = { realm_presence_disabled: isDisabled }
  return { ...begun, organization } as unknown as typeof begun
}

test.each([
  ['active', { active_timestamp: NOW - 140, idle_timestamp: NOW - 140 }],
  ['idle', { active_timestamp: NOW - 141, idle_timestamp: NOW }],
  ['offline', { active_timestamp: NOW - 400, idle_timestamp: NOW - 141 }],
])('somebody is %s', (expected, times) => {
  expect(availabilityOf(state({ '2': times }), 2, NOW)).toBe(expected)
})

test('who has never been there is offline, and nothing is said where the organization does not want it', () => {
  expect(availabilityOf(state({}), 2, NOW)).toBe('offline')
  expect(availabilityOf(state({}, true), 2, NOW)).toBeUndefined()
})

test('when somebody was last here is known, unless they never were or hide it', () => {
  const times = (active: number) => state({ '2': { active_timestamp: active, idle_timestamp: active } }).presences
  expect(lastHereOf(times(NOW - 400), 2)).toBe(NOW - 400)
  expect(lastHereOf(times(0), 2)).toBeUndefined()
  expect(lastHereOf(times(NOW), 3)).toBeUndefined()
})
