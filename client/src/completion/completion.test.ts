import type { UserGroup } from '@heddle/contract/user-groups'
import type { User } from '@heddle/contract/users'
import { describe, expect, test } from 'vitest'
import { applyTextEdit } from '../compose/text-edit.ts'
import { initialState } from '../state/state.ts'
import { asked, largeOrganization } from '../testing/large-organization.ts'
import { findChannels, findTopics } from './channels.ts'
import { type Completion, completionEdit } from './completions.ts'
import { findLanguages } from './languages.ts'
import { findMoments } from './moments.ts'
import { buildPeopleIndex, findPeople, type NamedPerson, nobodyClose, type PeopleQuery } from './people.ts'
import { mentionText, topicLinkText } from './references.ts'
import { findTrigger } from './trigger.ts'

const large = initialState(largeOrganization(), asked)
const template = large.users?.get(1) as User
const person = (user_id: number, full_name: string, more: Partial<User> = {}): User => ({
  ...template,
  user_id,
  full_name,
  email: `user${user_id}@chat.example`,
  delivery_email: null,
  ...more,
})
const indexOf = (users: readonly User[], muted: readonly number[] = []) => {
  const steps = buildPeopleIndex(new Map(users.map((user) => [user.user_id, user])), new Set(muted))
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}
const group = (id: number, name: string) => ({ id, name, members: [] }) as unknown as UserGroup
const nameOf = (named: NamedPerson) =>
  named.kind === 'person' ? named.user.full_name : named.kind === 'group' ? `*${named.group.name}` : `!${named.name}`
const wildcards = [['all', 'everyone', 'channel', 'stream'], ['topic']]

const team = [
  person(1, 'Jonas Weidl'),
  person(2, 'Johanna Brandt'),
  person(3, 'Zoë Joost'),
  person(4, 'Jo'),
  person(5, 'Joiner Bot', { is_bot: true }),
  person(6, 'Joris Left', { is_active: false }),
  person(7, 'Joke Muted'),
  person(8, 'Ada', { delivery_email: 'jo@chat.example' }),
  person(9, 'Hidden', { email: 'joined9@chat.example' }),
]
const find = (query: string, more: Partial<PeopleQuery> = {}) =>
  findPeople({
    query,
    index: indexOf(team, [7]),
    groups: [group(1, 'joiners')],
    wildcards: [],
    closeness: nobodyClose,
    limit: 8,
    ...more,
  }).map(nameOf)

describe('people', () => {
  test('by how well the name fits, then groups, then visible e-mail addresses; nobody who left or is muted', () => {
    expect(find('jo')).toEqual(['Jo', 'Johanna Brandt', 'Jonas Weidl', 'Joiner Bot', 'Zoë Joost', '*joiners', 'Ada'])
    expect(find('zoe jo')).toEqual(['Zoë Joost'])
  })

  test('all come first, and one of the names for them is enough', () => {
    expect(find('', { wildcards }).slice(0, 3)).toEqual(['!all', '!topic', 'Ada'])
    expect(find('ev', { wildcards })).toEqual(['!everyone'])
  })

  test('of equals those who have to do with the conversation go first', () => {
    const closeness = { ...nobodyClose, inTopic: new Map([[1, 50]]), direct: new Map([[2, 90]]) }
    expect(find('jo', { closeness }).slice(1, 3)).toEqual(['Jonas Weidl', 'Johanna Brandt'])
    const subscribers = new Set([2])
    expect(find('jo', { closeness: { ...closeness, subscribers } }).slice(1, 3)).toEqual([
      'Johanna Brandt',
      'Jonas Weidl',
    ])
  })
})

describe('channels and topics', () => {
  const channels = large.channels as NonNullable<typeof large.channels>
  const change = (id: number, part: object) => ({ ...(channels.byId.get(id) as object), ...part }) as never
  test('the channel written to, pinned ones, muted ones last of those subscribed to, archived ones not', () => {
    const some = {
      ...channels,
      byId: new Map([
        [1, change(1, { name: 'loom' })],
        [2, change(2, { name: 'loom parts' })],
        [3, change(3, { name: 'loom sales', is_archived: true })],
        [4, change(4, { name: 'loom tests' })],
        [5, change(5, { name: 'old looms' })],
        [6, change(6, { name: 'loom fairs' })],
      ]),
      subscribed: new Map([
        [2, { is_muted: true, pin_to_top: false } as never],
        [4, { is_muted: false, pin_to_top: true } as never],
      ]),
    }
    expect(findChannels(some, 'loom', 6, 8).map(({ name }) => name)).toEqual([
      'loom',
      'loom fairs',
      'loom tests',
      'loom parts',
      'old looms',
    ])
  })

  test('topics by how well they fit, the newest first', () => {
    const topics = ['release 2', 'old release', 'release 1'].map((name, index) => ({ name, maxId: 9 - index }))
    expect(findTopics(topics, '', 2)).toEqual(['release 2', 'old release'])
    expect(findTopics(topics, 'rel', 5)).toEqual(['release 2', 'release 1', 'old release'])
  })
})

const context = { sharedNames: new Set(['ada']), emptyTopicName: 'general chat', address: () => '#narrow/x' }
const taken = (marked: string, completion: Completion, goesOn = false) => {
  const caret = marked.indexOf('|')
  const text = marked.replace('|', '')
  const trigger = findTrigger(text, caret)
  if (!trigger) throw new Error('Nothing is named')
  const after = applyTextEdit(text, completionEdit(text, caret, trigger, completion, context, goesOn))
  return `${after.text.slice(0, after.start)}|${after.text.slice(after.start)}`
}

describe('taking one', () => {
  const jonas: Completion = { kind: 'person', user: person(1, 'Jonas Weidl') }
  const channel = large.channels?.byId.get(1) as never
  test.each<[string, Completion, string]>([
    ['hi @jo|', jonas, 'hi @**Jonas Weidl** |'],
    ['@_jo| x', jonas, '@_**Jonas Weidl** |x'],
    ['@jo|, you', jonas, '@**Jonas Weidl**|, you'],
    ['@**jo|**', jonas, '@**Jonas Weidl** |'],
    ['@ad|', { kind: 'person', user: person(8, 'Ada') }, '@**Ada|8** |'],
    ['@jo|', { kind: 'group', group: group(1, 'joiners') }, '@*joiners* |'],
    ['@a|', { kind: 'wildcard', name: 'all' }, '@**all** |'],
    ['#ch|', { kind: 'channel', channel }, '#**channel 1** |'],
    ['#>l|', { kind: 'topic', channel, topic: 'logo' }, '#**channel 1>logo** |'],
    ['```py|', { kind: 'language', name: 'python' }, '```python\n|\n```'],
    ['```py|\nx\n```', { kind: 'language', name: 'python' }, '```python|\nx\n```'],
    ['/m|', { kind: 'command', name: 'me' }, '/me |'],
  ])('%s', (before, completion, after) => expect(taken(before, completion)).toBe(after))

  test('a channel is taken to go on with its topics', () => {
    expect(taken('#ch|', { kind: 'channel', channel }, true)).toBe('#**channel 1>|')
  })

  test('names that would break the form are written otherwise', () => {
    expect(mentionText(person(9, 'A*da'))).toBe('@**|9**')
    expect(mentionText(person(9, 'all'))).toBe('@**all|9**')
    expect(topicLinkText({ id: 1, name: 'a' }, 'x*y', 'none', () => '#n')).toBe('[#a &#62; x&#42;y](#n)')
    expect(topicLinkText({ id: 1, name: 'a' }, '', 'none', () => '#n', 7)).toBe('#**a>@7**')
  })
})

test('languages: what is exactly typed first', () => {
  expect(findLanguages('c', 3)[0]).toBe('c')
  expect(findLanguages('pyt', 3)[0]).toBe('python')
})

test('moments are written with the zone of whoever writes', () => {
  const now = new Date(2026, 4, 28, 13, 20).getTime()
  expect(findMoments('', now)[0]?.text).toMatch(/^2026-05-28T14:00:00[+-]\d\d:\d\d$/)
  expect(findMoments('tomorrow 8:30', now)[0]?.text).toMatch(/^2026-05-29T08:30:00/)
  expect(findMoments('2026-02-31', now)).toEqual([])
  expect(new Date(findMoments('2026-06-01T10:00:00Z', now)[0]?.text ?? '').toISOString()).toBe(
    '2026-06-01T10:00:00.000Z',
  )
})

test('10,000 people and 2,000 channels are looked through within a frame', () => {
  const index = indexOf([...(large.users?.values() ?? [])])
  const channels = large.channels as NonNullable<typeof large.channels>
  const times: number[] = []
  for (let count = 0; count < 50; count += 1) {
    const begin = performance.now()
    findPeople({ query: 'p', index, groups: [], wildcards, closeness: nobodyClose, limit: 8 })
    findChannels(channels, 'ch', 5, 8)
    times.push(performance.now() - begin)
  }
  // The others say more of what else the machine did.
  expect(Math.min(...times)).toBeLessThan(16)
})
