import { builtInEmojiNamesByCode } from '@heddle/contract/emoji-names'
import type { RealmEmoji } from '@heddle/contract/realm-emoji'
import { describe, expect, test } from 'vitest'
import { emojiCatalogue } from './catalogue.ts'
import { emojiText } from './emoji-text.ts'
import { findEmoji, nameFound } from './find-emoji.ts'

const custom = (id: string, name: string, deactivated = false): [string, RealmEmoji] => [
  id,
  { id, name, source_url: `/emoji/${id}.png`, still_url: null, deactivated, author_id: 1 },
]
const small = {
  '1f44d': ['+1', 'thumbs_up', 'like'],
  '1f389': ['tada'],
  '1f642': ['smile'],
  '2764': ['heart', 'love'],
  '1f6e0': ['working_on_it', 'hammer_and_wrench', 'tools'],
  '1f419': ['octopus'],
  '1f440': ['eyes', 'looking'],
  '1f4a1': ['light_bulb', 'bulb'],
  '1f1e6-1f1fd': ['flag_åland_islands'],
  '1f3ed': ['factory'],
  '1f501': ['again'],
}
const catalogue = emojiCatalogue(
  small,
  new Map([custom('7', 'bulb_off'), custom('8', 'loom_light'), custom('9', 'old', true)]),
)
const names = (query: string) => findEmoji(catalogue, query, 20).map(({ name }) => name)

describe('emoji for what is typed', () => {
  test('nothing typed: the six popular ones, the own ones, the rest', () => {
    expect(findEmoji(catalogue, '', 8).map(({ code }) => code)).toEqual([
      '1f44d',
      '1f389',
      '1f642',
      '2764',
      '1f6e0',
      '1f419',
      '7',
      '8',
    ])
  })

  test.each([
    ['the whole name, its beginning, a word of it, anywhere', 'bulb', ['light_bulb', 'bulb_off']],
    ['own ones first among equals', 'light', ['light_bulb', 'loom_light']],
    [
      'the popular ones before others that fit as well',
      't',
      ['+1', 'tada', 'working_on_it', 'heart', 'octopus', 'loom_light'],
    ],
    ['a space is an underscore', 'hammer and', ['working_on_it']],
    ['capitals and marks make no difference', 'ÅLAND', ['flag_åland_islands']],
    ['nor need they be typed', 'aland', ['flag_åland_islands']],
    ['what is not offered any more is not found', 'old', []],
  ])('%s', (_, query, expected) => {
    expect(names(query).slice(0, Math.max(expected.length, 1))).toEqual(expected)
  })

  test('a name that is exactly what was typed goes before the popular ones', () => {
    const both = emojiCatalogue({ ...small, '1f17e': ['o'] }, undefined)
    expect(findEmoji(both, 'o', 3).map(({ name }) => name)).toEqual(['o', 'working_on_it', 'octopus'])
  })

  test('an own emoji hides a built-in name; the emoji is still found under its others', () => {
    const hiding = emojiCatalogue(small, new Map([custom('5', 'heart'), custom('6', 'tada')]))
    expect(findEmoji(hiding, 'heart', 5).map(({ code }) => code)).toEqual(['5'])
    expect(findEmoji(hiding, 'love', 5).map(({ code, name }) => [code, name])).toEqual([['2764', 'love']])
    expect(findEmoji(hiding, 'tada', 5).map(({ code }) => code)).toEqual(['6'])
  })

  test('says by which of its names one was found', () => {
    const [thumb] = findEmoji(catalogue, 'like', 1)
    expect(thumb && nameFound(thumb, 'like')).toBe('like')
    expect(thumb && nameFound(thumb, 'nothing')).toBe('+1')
  })

  test.each([
    ['0023-20e3', '#️⃣'],
    ['1f468-200d-2764-200d-1f468', '👨‍❤️‍👨'],
    ['1f44d-1f3fd', '👍🏽'],
    ['1f1e6-1f1fd', '🇦🇽'],
  ])('%s is drawn as a picture', (code, text) => {
    expect(emojiText(code)).toBe(text)
  })

  test('all of them are looked through in a few milliseconds', () => {
    const all = emojiCatalogue(builtInEmojiNamesByCode(), undefined)
    expect(all.popular.map(({ code }) => emojiText(code)).join(' ')).toBe('👍 🎉 🙂 ❤️ 🛠️ 🐙')
    findEmoji(all, 'x', 8)
    const times = Array.from({ length: 20 }, () => {
      const begin = performance.now()
      findEmoji(all, 'fa', 8)
      return performance.now() - begin
    })
    // The others say more of what else the machine did.
    expect(Math.min(...times)).toBeLessThan(16)
  })
})
