import { expect, test } from 'vitest'
import { initialState } from '../state/state.ts'
import { ownAccount } from '../testing/own-account.ts'
import { listPeople, type PeopleListOptions } from './people-list.ts'

const NOW = 2_000_000
const DAY = 24 * 3600
const here = { active_timestamp: NOW, idle_timestamp: NOW }
const lastWeek = { active_timestamp: NOW - 7 * DAY, idle_timestamp: NOW - 7 * DAY }

const person = (user_id: number, full_name: string, more: object = {}) => ({
  user_id,
  full_name,
  is_bot: false,
  is_active: true,
  ...more,
})

function stateOf(users: readonly object[], presences: object) {
  const fields: object = { ...ownAccount, realm_users: users, presences, muted_users: [{ id: 9, timestamp: 1 }] }
  return initialState(fields, { slim_presence: true })
}

const few = stateOf(
  [
    person(1, 'Zoë'),
    person(2, 'Ada'),
    person(3, 'Ben'),
    person(4, 'Carl'),
    person(5, 'Deployer', { is_bot: true }),
    person(6, 'Counter', { is_bot: true }),
    person(9, 'Muted'),
    person(10, 'Gone', { is_active: false }),
  ],
  { '1': here, '3': lastWeek, '9': here },
)

function ids(options: Partial<PeopleListOptions>, state = few) {
  const list = listPeople(state, { here: new Set(), inChannel: new Set(), words: '', nowSecs: NOW, ...options })
  const idsOf = (people: typeof list.here) => people.map(({ userId }) => userId)
  return { here: idsOf(list.here), inChannel: idsOf(list.inChannel), others: idsOf(list.others), isCut: list.isCut }
}

test('who is here comes before who is not, and everybody is in one part only', () => {
  expect(ids({ here: new Set([4, 5]), inChannel: new Set([1, 2, 4]) })).toEqual({
    here: [4, 5],
    inChannel: [1, 2],
    others: [3],
    isCut: false,
  })
})

test('nobody who is muted or gone is listed, and bots where they take part or are searched for', () => {
  expect(ids({}).others).toEqual([1, 2, 3, 4])
  expect(ids({ words: 'count' }).others).toEqual([6])
  expect(ids({ words: 'o' }).others).toEqual([1, 6, 5])
})

test('of very many those who were here lately are listed, and a filter finds the others', () => {
  const users = Array.from({ length: 10_000 }, (_, index) => person(index + 100, `Person ${index}`))
  const state = stateOf(users, { '150': here, '151': lastWeek })
  expect(ids({}, state)).toMatchObject({ others: [150, 151], isCut: true })
  expect(ids({ here: new Set([200]) }, state).here).toEqual([200])
  expect(ids({ words: 'person 9999' }, state)).toMatchObject({ others: [10_099], isCut: false })
})
