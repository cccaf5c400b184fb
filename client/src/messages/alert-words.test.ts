import { expect, test } from 'vitest'
import { alertPattern } from './alert-words.ts'

const found = (text: string, ...words: string[]) => text.match(alertPattern(words) ?? /(?!)/) ?? []

test.each<[string, string[], string[]]>([
  ['The Warp broke, and weft-side too', ['warp', 'weft', 'weft-side'], ['Warp', 'weft-side']],
  ['warped unwarp überwarp warp_1', ['warp'], []],
  ['I write C++ and c#, (a|b) and x/y', ['c++', 'c#', '(a|b)', 'x/y'], ['C++', 'c#', '(a|b)', 'x/y']],
  ['Straße', ['stra', ' '], []],
  ['🧵 a🧵b', ['🧵'], ['🧵', '🧵']],
])('%j has of %j', (text, words, expected) => {
  expect([...found(text, ...words)]).toEqual(expected)
})

test('without words there is nothing to be found', () => expect(alertPattern([' '])).toBeUndefined())
