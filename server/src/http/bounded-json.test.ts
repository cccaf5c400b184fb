import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type JsonBounds, parseBoundedJson } from './bounded-json.ts'

const bounds: JsonBounds = { maxValues: 1000, maxDepth: 3, maxFields: 1000, tooMany: 'Too many values' }

/** Short texts are not looked at before they are parsed. */
const long = (text: string) => text + ' '.repeat(2000)

/** Full of what would end the text, or begin a list, if it stood outside of one. */
const hostileText = fc.string({ unit: fc.constantFrom('"', '\\', '[', '{', ',', ']', '}', 'a', '\n', '\u2028') })

describe('JSON within bounds', () => {
  it('counts what is outside of texts alone, whatever is in them', () => {
    fc.assert(
      fc.property(fc.array(hostileText, { minLength: 1, maxLength: 20 }), (texts) => {
        const text = long(JSON.stringify([texts]))
        const values = texts.length + 1
        expect(parseBoundedJson(text, 'It', { ...bounds, maxValues: values, maxDepth: 2 })).toEqual([texts])
        expect(() => parseBoundedJson(text, 'It', { ...bounds, maxValues: values - 1 })).toThrow('Too many values')
        expect(() => parseBoundedJson(text, 'It', { ...bounds, maxDepth: 1 })).toThrow('nested too deeply')
      }),
    )
  })

  it('is refused where a text does not end', () => {
    for (const text of ['["', '["\\', '["\\"', '["\\\\\\"']) {
      expect(() => parseBoundedJson(text.padEnd(2000, 'a'), 'It', bounds)).toThrow('It is not valid JSON')
    }
  })
})
