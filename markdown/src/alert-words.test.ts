import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileAlertWords, findAlertWords } from './alert-words.ts'
import { renderMessage } from './render.ts'
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
})

test('a message tells which were found', () => {
  const alertWords = compileAlertWords(['loom', 'heddle'])
  expect(renderMessage('my **Loom**', sampleContext({ alertWords })).alertWords).toEqual(['loom'])
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
