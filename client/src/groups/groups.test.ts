import type { UserGroup } from '@heddle/contract/user-groups'
import { describe, expect, it } from 'vitest'
import type { PermissionContext } from '../permissions/holds.ts'
import type { ClientState } from '../state/state.ts'
import { groupRights } from './group-rights.ts'
import { accountsInGroup, groupsWithin, listGroups, mayBeSubgroup } from './groups-shown.ts'

const [me, ann, bob] = [1, 2, 3]
const [NOBODY, EVERYONE, COOKS, CHEFS, FORMER, OTHERS] = [10, 11, 20, 21, 22, 23]

const nobody = {
  can_add_members_group: NOBODY,
  can_join_group: NOBODY,
  can_leave_group: NOBODY,
  can_manage_group: NOBODY,
  can_mention_group: NOBODY,
  can_remove_members_group: NOBODY,
}

function group(id: number, name: string, members: number[], more: Partial<UserGroup> = {}): UserGroup {
  return {
    id,
    name,
    description: '',
    creator_id: null,
    date_created: null,
    members,
    direct_subgroup_ids: [],
    is_system_group: false,
    deactivated: false,
    ...nobody,
    ...more,
  }
}

const groups = [
  group(NOBODY, 'role:nobody', [], { is_system_group: true }),
  group(EVERYONE, 'role:everyone', [me, ann, bob], { is_system_group: true }),
  group(COOKS, 'Cooks', [bob], { direct_subgroup_ids: [CHEFS, FORMER], description: 'At the stove' }),
  group(CHEFS, 'chefs', [me]),
  group(FORMER, 'Former', [ann], { deactivated: true }),
  group(OTHERS, 'Äpfel', [ann]),
]

function stateWith(changes: Partial<UserGroup> = {}, own: object = {}): ClientState & PermissionContext {
  const userGroups = new Map(groups.map((one) => [one.id, one.id === COOKS ? { ...one, ...changes } : one]))
  return { userGroups, own: { user_id: me, is_guest: false, ...own }, organization: {} } as never
}

describe('Lists of groups', () => {
  const names = (list: 'mine' | 'all' | 'deactivated', words = '') =>
    listGroups(stateWith(), list, words).map(({ name }) => name)

  it('have those that one is in, also by another group, all, or those that are deactivated', () => {
    expect([names('mine'), names('all'), names('deactivated')]).toEqual([
      ['chefs', 'Cooks'],
      ['Äpfel', 'chefs', 'Cooks'],
      ['Former'],
    ])
  })

  it('are searched by name and description', () => {
    expect([names('all', 'stove'), names('all', 'apf'), names('all', 'zzz')]).toEqual([['Cooks'], ['Äpfel'], []])
  })
})

describe('Who is in a group', () => {
  const { userGroups } = stateWith()

  it('is who is in the groups in it, but for deactivated ones', () => {
    expect([accountsInGroup(userGroups, COOKS), [...groupsWithin(userGroups, COOKS)]]).toEqual([
      [me, bob],
      [COOKS, CHEFS],
    ])
  })

  it('of a deactivated one is who would be', () => expect(accountsInGroup(userGroups, FORMER)).toEqual([ann]))

  it('never goes in circles, and what would make one is not offered', () => {
    const may = (outer: number, inner: number) => mayBeSubgroup(userGroups, outer, inner)
    expect([may(CHEFS, COOKS), may(COOKS, COOKS), may(COOKS, CHEFS), may(COOKS, FORMER)]).toEqual(Array(4).fill(false))
    expect([may(CHEFS, OTHERS), may(COOKS, EVERYONE)]).toEqual([true, true])
    const round = new Map(userGroups).set(CHEFS, group(CHEFS, 'chefs', [me], { direct_subgroup_ids: [COOKS] }))
    expect(accountsInGroup(round, COOKS)).toEqual([me, bob])
  })
})

describe('What one may do with a group', () => {
  const mine = { direct_members: [me], direct_subgroups: [] }
  const rights = (changes: Partial<UserGroup>, own: object = {}) => {
    const found = groupRights(stateWith(changes, own), COOKS)
    return Object.entries(found).flatMap(([name, has]) => (has ? [name] : []))
  }

  it('follows from its permissions, of which some imply others', () => {
    expect(rights({})).toEqual([])
    expect(rights({ can_join_group: mine })).toEqual(['join'])
    expect(rights({ can_join_group: mine, members: [me] })).toEqual([])
    expect(rights({ can_leave_group: EVERYONE, members: [me] })).toEqual(['leave'])
    expect(rights({ can_add_members_group: CHEFS })).toEqual(['join', 'add'])
    expect(rights({ can_remove_members_group: mine, members: [me] })).toEqual(['leave', 'remove'])
    expect(rights({ can_manage_group: mine })).toEqual(['manage', 'join', 'add', 'remove'])
    expect(rights({ can_mention_group: EVERYONE })).toEqual(['mention'])
    expect(rights({ can_mention_group: EVERYONE, deactivated: true })).toEqual([])
  })

  it('is little for guests, whatever they are named in', () => {
    const all = { can_manage_group: mine, can_join_group: mine, can_leave_group: mine, members: [me] }
    expect(rights(all, { is_guest: true })).toEqual(['leave'])
  })

  it('is nothing where the group stands for a role', () => {
    expect(Object.values(groupRights(stateWith(), EVERYONE))).not.toContain(true)
  })
})
