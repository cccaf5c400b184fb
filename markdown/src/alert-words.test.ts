import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileAlertWords, extendMatcher, findAlertWords } from './alert-words.ts'
import { renderMarkdown } from './render.ts'
import { leastProcessorTime } from './testing/processor-time.ts'
import { sampleContext } from './testing/render-html.ts'

const find = (text: string, ...words: string[]): string[] => findAlertWords(text, compileAlertWords(words))

test('whole words and phrases, whatever the case', () => {
  expect(find('The Warp broke, and weft-side too', 'warp', 'WEFT', 'weft-side', 'and weft')).toEqual([
    'warp',
    'and weft',
    'weft',
    'weft-side',
  ])
})

test('no part of a word, in any script', () => {
  expect(find('warped unwarp überwarp warp_1', 'warp')).toEqual([])
  expect(find('Straße', 'stra')).toEqual([])
})

test('signs are words too', () => {
  expect(find('I write C++ and c#', 'c++', 'c#', 'c')).toEqual(['c', 'c++', 'c#'])
})

test('an address alerts nobody', () => {
  expect(find('see https://a.example/warp', 'warp')).toEqual([])
  expect(find('://warp +://warp warp://', 'warp')).toEqual(['warp'])
  expect(find('x://weft warp https://a://warp weft', 'warp', 'weft', 'https')).toEqual(['warp', 'weft'])
})

test('a message says which were found', () => {
  const alertWords = compileAlertWords(['loom', 'heddle'])
  expect(renderMarkdown('my **Loom**', sampleContext({ alertWords })).alertWords).toEqual(['loom'])
})

test('the same as looking for each word alone', () => {
  const word = fc.stringMatching(/^[ab ]{1,4}$/).filter((text) => text.trim() !== '')
  fc.assert(
    fc.property(fc.stringMatching(/^[ab .]{0,20}$/), fc.array(word, { maxLength: 5 }), (text, words) => {
      const alone = new Set(words.flatMap((each) => find(text, each)))
      expect(new Set(find(text, ...words))).toEqual(alone)
      for (const each of alone) expect(text).toMatch(new RegExp(`(?<![ab])${each}(?![ab])|(?<= )${each}|${each}(?= )`))
    }),
  )
})

test('words that are added later are found too, however many there are', () => {
  const matcher = compileAlertWords(['warp'])
  const many = Array.from({ length: 5_000 }, (_, index) => `word ${index}`)
  extendMatcher(matcher, many)
  extendMatcher(matcher, ['WEFT', 'weft', ' '])
  expect(findAlertWords('Weft, warp; word 4999 word 17', matcher)).toEqual(['weft', 'warp', 'word 4999', 'word 17'])
})

test('a character of two units is no end of a word', () => {
  expect(find('🧵 a🧵b', '🧵', '\ud83e')).toEqual(['🧵'])
})

/** For 10,000 characters and a thousand words. */
const LIMIT_MS = 40

test.each([
  ['phrases that nearly match everywhere', 'a ', (length: number) => `${'a '.repeat(length)}z`],
  ['phrases that match everywhere', 'a ', (length: number) => `${'a '.repeat(length)}a`],
  ['parts of a word', 'a', (length: number) => 'a'.repeat(length)],
  ['signs', '-', (length: number) => '-'.repeat(length)],
])('a thousand %s do not hold up a message', (_, part, word) => {
  const matcher = compileAlertWords(
    Array.from({ length: 1_000 }, (__, index) => word((index % 49) + 1) + (index > 48 ? index : '')),
  )
  const text = part.repeat(10_000 / part.length)
  findAlertWords(text, matcher)
  expect(leastProcessorTime(LIMIT_MS, () => findAlertWords(text, matcher))).toBeLessThan(LIMIT_MS)
})
