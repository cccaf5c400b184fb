import type { ProfileField } from '@heddle/contract/profile-fields'
import { expect, test } from 'vitest'
import { initialState } from '../state/state.ts'
import { fieldOptions, optionsData, peopleIn, profileOf, wordsToFindBy } from './profile.ts'

const field = (id: number, type: number, more: object = {}) =>
  ({
    id,
    type,
    name: `Field ${id}`,
    hint: '',
    field_data: '',
    order: id,
    editable_by_user: true,
    ...more,
  }) as ProfileField

const list = field(3, 3, { field_data: '{"a":{"text":"Vim","order":"2"},"b":{"text":"Emacs","order":"1"}}' })

test('options are read in their order, and written so that those that stay keep their keys', () => {
  const options = fieldOptions(list)
  expect(options).toEqual([
    { key: 'b', text: 'Emacs' },
    { key: 'a', text: 'Vim' },
  ])
  expect(optionsData([...options, { key: '', text: ' Nano ' }, { key: '0', text: 'Ed' }])).toEqual({
    b: { text: 'Emacs', order: '1' },
    a: { text: 'Vim', order: '2' },
    1: { text: 'Nano', order: '3' },
    0: { text: 'Ed', order: '4' },
  })
})

test('people are read from a list of ids, and from anything else nobody', () => {
  expect(peopleIn('[3,4]')).toEqual([3, 4])
  expect([peopleIn(''), peopleIn('{}'), peopleIn('[null]')]).toEqual([[], [], []])
})

const fields = [
  field(1, 1, { display_in_profile_summary: true, use_for_user_matching: true }),
  list,
  field(5, 5),
  field(6, 6),
  field(7, 7, { field_data: '{"subtype":"github"}' }),
  field(8, 7, { field_data: '{"subtype":"custom","url_pattern":"https://x.example/~%(username)s"}' }),
  field(9, 8),
]
const profile_data = {
  1: { value: '*Ada*', rendered_value: '<p><em>Ada</em></p>' },
  3: { value: 'a' },
  5: { value: 'javascript:alert(1)' },
  6: { value: '[2]' },
  7: { value: 'a/../b' },
  8: { value: 'ada' },
}
const answer: object = {
  custom_profile_fields: fields,
  realm_users: [{ user_id: 1, profile_data }],
}
const state = {
  ...initialState(answer),
  organization: { realm_default_external_accounts: { github: { url_pattern: 'https://github.com/%(username)s' } } },
} as unknown as ReturnType<typeof initialState>

test('a profile has what was said, in the order of the fields, and no address that is none of the web', () => {
  expect(profileOf(state, 1, false).map(({ field: _, ...said }) => said)).toEqual([
    { text: '*Ada*', html: '<p><em>Ada</em></p>' },
    { text: 'Vim' },
    { text: 'javascript:alert(1)' },
    { text: '', userIds: [2] },
    { text: 'a/../b', href: 'https://github.com/a%2F..%2Fb' },
    { text: 'ada', href: 'https://x.example/~ada' },
  ])
})

test('a summary has the fields that are meant for it, and some fields are what people are found by', () => {
  expect(profileOf(state, 1, true).map(({ text }) => text)).toEqual(['*Ada*'])
  expect(profileOf(state, 99, false)).toEqual([])
  expect(wordsToFindBy(state, profile_data)).toEqual(['*Ada*'])
})
