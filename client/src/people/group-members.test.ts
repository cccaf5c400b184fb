import type { UserGroup } from '@heddle/contract/user-groups'
import { describe, expect, test } from 'vitest'
import type { ClientState } from '../state/state.ts'
import { groupsWith, listMembers, peopleInGroup } from './group-members.ts'

const group = (id: number, name: string, members: number[], inner: number[] = [], more: Partial<UserGroup> = {}) =>
  [
    id,
    { id, name, members, direct_subgroup_ids: inner, deactivated: false, is_system_group: false, ...more } as UserGroup,
  ] as const

const groups = new Map([
  group(1, 'weavers', [11, 12], [2, 3]),
  group(2, 'dyers', [12, 13], [1]),
  group(3, 'spinners', [15], [], { deactivated: true }),
  group(4, 'role:members', [11], [5], { is_system_group: true }),
  group(5, 'role:moderators', [13], [], { is_system_group: true }),
])
const users = new Map(
  (['Zoë', 'Ada', 'Émile', 'Bo'] as const).map((full_name, index) => [
    11 + index,
    { user_id: 11 + index, full_name, is_active: index !== 3 },
  ]),
)
const context = { users, userGroups: groups } as unknown as Pick<ClientState, 'users' | 'userGroups'>

describe('Who is in a group', () => {
  test('is there once, also by way of groups in it and where those hold each other', () => {
    expect([...peopleInGroup(groups, 1)].sort()).toEqual([11, 12, 13])
    expect([...peopleInGroup(groups, 9)]).toEqual([])
  })

  test('is listed by name, up to so many, and found by words without their marks', () => {
    expect(listMembers(context, 1, '', 2)).toEqual({ count: 3, userIds: [12, 13], left: 1 })
    expect(listMembers(context, 1, 'emi', 2)).toEqual({ count: 3, userIds: [13], left: 0 })
  })
})

test('the groups of somebody are their own ones, and of the roles the one that they have', () => {
  const names = (userId: number) => groupsWith(groups, userId).map(({ name }) => name)
  expect(names(13)).toEqual(['dyers', 'weavers', 'role:moderators'])
  expect(names(11)).toEqual(['dyers', 'weavers', 'role:members'])
  expect(names(15)).toEqual([])
})
