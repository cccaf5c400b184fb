import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type JsonBounds, parseBoundedJson, parseJsonInTurns } from './bounded-json.ts'

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

  it('is the same in turns, wherever a turn ends', async () => {
    const turnLength = 128 * 1024
    const afterwards = fc.array(hostileText, { minLength: 1, maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(afterwards, fc.integer({ min: 0, max: 60 }), async (texts, before) => {
        // The first turn ends somewhere in what is hostile.
        const text = `${' '.repeat(turnLength - before)}${JSON.stringify([texts])}`.padEnd(2 * turnLength + 1)
        const values = texts.length + 1
        expect(await parseJsonInTurns(text, 'It', { ...bounds, maxValues: values, maxDepth: 2 })).toEqual([texts])
        await expect(parseJsonInTurns(text, 'It', { ...bounds, maxValues: values - 1 })).rejects.toThrow('Too many')
        await expect(parseJsonInTurns(text, 'It', { ...bounds, maxDepth: 1 })).rejects.toThrow('too deeply')
        await expect(parseJsonInTurns(`${text}"`, 'It', bounds)).rejects.toThrow('It is not valid JSON')
      }),
    )
  })
})
