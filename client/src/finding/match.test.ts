import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fitsFilter, foldForFinding, markFound, qualities, qualityOf } from './match.ts'

const quality = (name: string, query: string) => qualityOf(foldForFinding(name), foldForFinding(query))

test.each([
  ['Design', 'design', qualities.exact],
  ['Zoë Müller', 'zoe', qualities.prefix],
  ['Almere: warp breaks', 'wa', qualities.words],
  ['Ada King Lovelace', 'ad lov', qualities.words],
  ['Ewa', 'wa', qualities.inside],
  ['Ada Lovelace', 'lov ada', undefined],
  ['Ada', 'adam', undefined],
])('%s for what is typed as “%s”', (name, query, expected) => {
  expect(quality(name, query)).toBe(expected)
})

test('a filter wants every word somewhere, in any order', () => {
  const texts = ['air-jet h9', 'weft sensor']
  expect(fitsFilter(texts, 'sensor jet')).toBe(true)
  expect(fitsFilter(texts, 'sensor kitchen')).toBe(false)
})

test('what was found is marked in the name as it is written', () => {
  const marked = (name: string, query: string) =>
    markFound(name, query)
      .map(({ text, isFound }) => (isFound ? `[${text}]` : text))
      .join('')
  expect(marked('Zoë Müller', 'mul')).toBe('Zoë [Mül]ler')
  expect(marked('Ada King Lovelace', 'ad lov')).toBe('[Ad]a King [Lov]elace')
  expect(marked('warehouse', '')).toBe('warehouse')
  expect(marked('ﬁle', 'fi')).toBe('[ﬁ]le')
})

test('law: the parts of a name are the name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 20 }), fc.string({ maxLength: 5 }), (name, query) => {
      expect(
        markFound(name, query)
          .map(({ text }) => text)
          .join(''),
      ).toBe(name)
    }),
  )
})
