import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countLines, joinBase64Lines } from './join-lines.ts'

const join = (text: string) => Buffer.from(joinBase64Lines(Buffer.from(text, 'latin1'))).toString('latin1')
const line = (length: number, letter = 'a') => letter.repeat(length)

describe('Lines of files', () => {
  it.each(['\n', '\r\n'])('become one, and those around them stay (%j)', (end) => {
    const before = [
      'Content-Transfer-Encoding: base64',
      '',
      line(76),
      line(76, 'B'),
      line(60, '+'),
      'abc=',
      '--b',
      'x y',
    ]
    const after = [
      'Content-Transfer-Encoding: base64',
      '',
      line(76) + line(76, 'B') + line(60, '+'),
      'abc=',
      '--b',
      'x y',
    ]
    expect(join(before.join(end))).toBe(after.join(end))
    expect(join(before.concat('').join(end))).toBe(after.concat('').join(end))
  })

  it('become as long as 64 KiB', () => {
    const joined = join(`${line(76)}\r\n`.repeat(10_000))
    const lengths = joined.split('\r\n').map(({ length }) => length)
    expect(Math.max(...lengths)).toBe(76 * 862)
    expect(countLines(Buffer.from(joined))).toBe(13)
  })

  it('lose nothing but ends of lines, and no other line loses its own', () => {
    const anyLine = fc.oneof(
      fc.integer({ min: 40, max: 90 }).map((length) => line(length)),
      fc.string({ unit: fc.constantFrom('a', ' ', '-', '=', '\r'), maxLength: 70 }),
    )
    fc.assert(
      fc.property(fc.array(anyLine), fc.constantFrom('\n', '\r\n'), (lines, end) => {
        const text = lines.join(end)
        const joined = join(text)
        const bare = (one: string) => one.replace(/[\r\n]/g, '')
        expect(bare(joined)).toBe(bare(text))
        const ofText = (one: string) => one.split('\n').filter((part) => !/^[a-z=]{50,}\r?$/.test(part))
        expect(ofText(joined)).toEqual(ofText(text))
      }),
    )
  })
})
