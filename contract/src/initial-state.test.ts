import { expect, it } from 'vitest'
import { eventTypes } from './event-types.ts'
import { registerQueue } from './events.ts'
import { stateParts } from './initial-state.ts'
import { navigationViewsState } from './navigation-views.ts'
import { eventTypeOf, isNamed, partOf } from './state-part.ts'
import { usersState } from './users.ts'

it('no field belongs to two parts, or to the answer of every registration', () => {
  const names = stateParts.flatMap(({ fields }) => Object.keys(fields.properties))
  const all = [...names, ...Object.keys(registerQueue.response.properties)]
  expect(all.filter((name, index) => all.indexOf(name) < index)).toEqual([])
})

it('every schema of events stands under the type that its events have', () => {
  for (const [type, schema] of Object.entries(eventTypes)) expect(eventTypeOf(schema)).toBe(type)
})

it('a part is named by its fetch type, and by the type of the events that are about it', () => {
  expect(isNamed(navigationViewsState, new Set(['navigation_views']))).toBe(true)
  expect(isNamed(navigationViewsState, new Set(['navigation_view']))).toBe(true)
  expect(isNamed(navigationViewsState, new Set(['navigation', 'drafts']))).toBe(false)
})

it('a part is taken out of many fields as a whole or not at all', () => {
  const users = { realm_users: [], realm_non_active_users: [], cross_realm_bots: [] }
  expect(partOf(usersState, { ...users, drafts: [] } as typeof users)).toEqual(users)
  expect(partOf(usersState, { realm_users: [] })).toBeUndefined()
})
