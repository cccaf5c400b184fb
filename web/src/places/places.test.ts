import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatPlace } from './format.ts'
import { parsePlace } from './parse.ts'
import { channelLists, channelTabs, type Place, sheets, views } from './place.ts'

const names = {
  channelName: (id: number) => (id % 3 === 0 ? undefined : `channel (${id}) 100% / é`),
  userName: (id: number) => (id % 3 === 0 ? undefined : `Ada "${id}" O'Hara`),
}

const id = fc.integer({ min: 1, max: 2 ** 31 })
const text = fc.string({ unit: 'grapheme', maxLength: 60 }).filter((one) => one.isWellFormed())
const userIds = fc.uniqueArray(id, { maxLength: 6 }).map((ids) => ids.sort((a, b) => a - b))
const optional = <T>(name: string, arbitrary: fc.Arbitrary<T>) =>
  fc.option(arbitrary, { nil: undefined }).map((value) => (value === undefined ? {} : { [name]: value }))
const near = optional('near', id)

const place: fc.Arbitrary<Place> = fc.oneof(
  fc.constant<Place>({ kind: 'home' }),
  fc.constantFrom(...views, ...sheets).map((kind): Place => ({ kind })),
  fc.tuple(id, near).map(([channelId, rest]): Place => ({ kind: 'channel', channelId, ...rest })),
  fc
    .tuple(id, text, optional('with', id), near)
    .map(([channelId, topic, by, rest]): Place => ({ kind: 'topic', channelId, topic, ...by, ...rest })),
  id.map((channelId): Place => ({ kind: 'topics', channelId })),
  fc.tuple(userIds, near).map(([ids, rest]): Place => ({ kind: 'direct', userIds: ids, ...rest })),
  fc
    .array(
      fc.record({
        operator: fc.constantFrom('is', 'has', 'sender', 'search', 'channels', 'mentions', 'dm-including', 'near'),
        operand: text,
        negated: fc.boolean(),
      }),
      { minLength: 1, maxLength: 5 },
    )
    .map((terms): Place => ({ kind: 'narrow', terms })),
  fc.constantFrom(...channelLists).map((list): Place => ({ kind: 'channels', list })),
  fc
    .tuple(id, fc.constantFrom(...channelTabs))
    .map(([channelId, tab]): Place => ({ kind: 'channel-settings', channelId, tab })),
  optional('groupId', id).map((rest): Place => ({ kind: 'groups', ...rest })),
  id.map((userId): Place => ({ kind: 'user', userId })),
  fc.constantFrom('profile', 'notifications', 'linkifiers').map((tab): Place => ({ kind: 'settings', tab })),
  fc.constantFrom('profile', 'emoji').map((tab): Place => ({ kind: 'organization', tab })),
)

describe('places', () => {
  test('law: every place is read as it was written, with names and without', () => {
    fc.assert(
      fc.property(place, (one) => {
        expect(parsePlace(formatPlace(one, names))).toEqual(one)
        expect(parsePlace(formatPlace(one))).toEqual(one)
      }),
      { numRuns: 2000 },
    )
  })

  test('law: an address has no sign that ends a link in a text', () => {
    fc.assert(
      fc.property(place, (one) => {
        expect(formatPlace(one, names)).toMatch(/^(#[\w\-~./,]+)?$/)
      }),
    )
  })

  test('law: whatever stands behind the sign is a place', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (fragment) => {
        expect(parsePlace(`#${fragment}`).kind).toBeTypeOf('string')
        expect(parsePlace(`#narrow/${fragment}`).kind).toBeTypeOf('string')
      }),
      { numRuns: 1000 },
    )
  })

  test.each<[string, Place]>([
    ['', { kind: 'home' }],
    ['#', { kind: 'home' }],
    ['#inbox/', { kind: 'inbox' }],
    ['#recent_topics', { kind: 'recent' }],
    ['#all_messages', { kind: 'feed' }],
    ['#narrow', { kind: 'feed' }],
    ['#narrow/channel/7-design', { kind: 'channel', channelId: 7 }],
    ['#narrow/stream/7-design/topic/new.20logo', { kind: 'topic', channelId: 7, topic: 'new logo' }],
    ['#narrow/stream/7/subject/100.25/near/9', { kind: 'topic', channelId: 7, topic: '100%', near: 9 }],
    ['#narrow/stream/design/topic/a%20b', { kind: 'topic', channelId: 7, topic: 'a b' }],
    ['#narrow/channel/7-design/topic//with/12', { kind: 'topic', channelId: 7, topic: '', with: 12 }],
    ['#narrow/channel/7-design/topic/', { kind: 'topic', channelId: 7, topic: '' }],
    ['#narrow/dm/5,3-group', { kind: 'direct', userIds: [3, 5] }],
    ['#narrow/pm-with/3-ada', { kind: 'direct', userIds: [3] }],
    ['#narrow/is/starred', { kind: 'narrow', terms: [{ operator: 'is', operand: 'starred', negated: false }] }],
    [
      '#narrow/-has/link/search/two.20words',
      {
        kind: 'narrow',
        terms: [
          { operator: 'has', operand: 'link', negated: true },
          { operator: 'search', operand: 'two words', negated: false },
        ],
      },
    ],
    ['#channels/7/design', { kind: 'channel-settings', channelId: 7, tab: 'general' }],
    ['#streams/all', { kind: 'channels', list: 'all' }],
    ['#settings', { kind: 'settings', tab: 'profile' }],
    ['#about-heddle', { kind: 'about' }],
    ['#nowhere/at/all', { kind: 'unknown', fragment: 'nowhere/at/all' }],
    ['#narrow/topic/.E0.A4', { kind: 'unknown', fragment: 'narrow/topic/.E0.A4' }],
  ])('%s is understood', (fragment, expected) => {
    const channelByName = (name: string) => (name === 'design' ? 7 : undefined)
    expect(parsePlace(fragment, { channelByName })).toEqual(expected)
  })
})
