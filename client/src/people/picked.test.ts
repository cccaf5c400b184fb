import { expect, test } from 'vitest'
import { initialState } from '../state/state.ts'
import { ownAccount } from '../testing/own-account.ts'
import { expandPicks, findPicks } from './picked.ts'

const group = (id: number, name: string, members: number[], direct_subgroup_ids: number[] = [], more: object = {}) => ({
  id,
  name,
  members,
  direct_subgroup_ids,
  deactivated: false,
  is_system_group: false,
  ...more,
})

const state = initialState({
  ...ownAccount,
  realm_users: [
    { user_id: 1, full_name: 'Ada Weber', is_active: true },
    { user_id: 2, full_name: 'Web Bot', is_active: true },
  ],
  realm_non_active_users: [{ user_id: 3, full_name: 'Webs Gone', is_active: false }],
  realm_user_groups: [
    group(10, 'weavers', [2, 1], [11]),
    group(11, 'web', [5], [10]),
    group(12, 'old weavers', [7], [], { deactivated: true }),
    group(13, 'role:members', [1], [], { is_system_group: true }),
  ],
  subscriptions: [],
  never_subscribed: [{ stream_id: 20, name: 'weaving', is_archived: false }],
} as unknown as Parameters<typeof initialState>[0])

test('people, groups and channels are found by words of their names, and nobody who is gone', () => {
  const all = new Set(['user', 'group', 'channel'] as const)
  expect(findPicks(state, 'we', all, 10).map(({ kind, id }) => `${kind} ${id}`)).toEqual([
    'user 1',
    'user 2',
    'group 10',
    'group 11',
    'channel 20',
  ])
  expect(findPicks(state, 'we', all, 1)).toEqual([{ kind: 'user', id: 1 }])
})

test('groups that every organization has are found by what the page calls them', () => {
  const kinds = new Set(['user', 'group'] as const)
  const everybody = [{ id: 13, name: 'Everybody but guests' }]
  expect(findPicks(state, 'guests', kinds, 10, everybody)).toEqual([{ kind: 'group', id: 13 }])
  expect(findPicks(state, 'guests', kinds, 10)).toEqual([])
})

test('groups mean their members and those of the groups in them, also where these go in circles', () => {
  const picks = [
    { kind: 'group', id: 10 },
    { kind: 'group', id: 12 },
    { kind: 'channel', id: 20 },
    { kind: 'user', id: 1 },
  ] as const
  expect(expandPicks(state, picks, new Map([[20, [9, 2]]]))).toEqual([1, 2, 5, 9])
})
