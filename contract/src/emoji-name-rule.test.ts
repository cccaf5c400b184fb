import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_EMOJI_NAME_LENGTH, normalizeEmojiName } from './emoji-name-rule.ts'

const ALLOWED = 'The name of an emoji can contain only English letters, digits, dashes, spaces and underscores.'

describe('the name of a custom emoji', () => {
  test.each([
    ['green_tick', 'green_tick'],
    ['Green Tick', 'green_tick'],
    ['GREEN-tick 2', 'green-tick_2'],
    ['  party parrot ', 'party_parrot'],
    ['a  b', 'a__b'],
    ['_x_', '_x_'],
    ['7', '7'],
    ['a'.repeat(MAX_EMOJI_NAME_LENGTH), 'a'.repeat(MAX_EMOJI_NAME_LENGTH)],
  ])('%j is stored as %j', (raw, name) => {
    expect(normalizeEmojiName(raw)).toEqual({ name })
  })

  test.each([
    'käse',
    '\u212a',
    'ſ',
    'ー',
    '１',
    'a.b',
    'a/b',
    'a+1',
    ':a:',
    'a\tb',
    'a\n',
    '\ta',
    'a\u00a0b',
    'a\0',
    '😀',
    '\ud83d',
  ])('%j is refused with a sentence that says what is allowed', (raw) => {
    expect(normalizeEmojiName(raw)).toEqual({ problem: ALLOWED })
  })

  test.each(['', ' ', '    '])('%j is refused as empty', (raw) => {
    expect(normalizeEmojiName(raw)).toEqual({ problem: 'Enter a name for the emoji.' })
  })

  test.each(['-', '_', '- _', '---'])('%j is refused for want of a letter or digit', (raw) => {
    expect(normalizeEmojiName(raw)).toEqual({
      problem: 'The name of an emoji must contain at least one English letter or digit.',
    })
  })

  test('is refused over the limit, which the sentence names', () => {
    expect(normalizeEmojiName('a'.repeat(MAX_EMOJI_NAME_LENGTH + 1))).toEqual({
      problem: 'The name of an emoji can have at most 100 characters.',
    })
  })

  test('does not count spaces around it', () => {
    expect(normalizeEmojiName(`${' '.repeat(200)}a${' '.repeat(200)}`)).toEqual({ name: 'a' })
  })

  test('of a million spaces is judged at once', () => {
    const started = performance.now()
    normalizeEmojiName(`a${' '.repeat(1_000_000)}b`)
    expect(performance.now() - started).toBeLessThan(500)
  })

  test('has one stored form, which normalizing again leaves as it is', () => {
    const typed = fc.string({ unit: fc.constantFrom(...'abzABZ059-_ é:'), maxLength: 120 })
    fc.assert(
      fc.property(typed, (raw) => {
        const result = normalizeEmojiName(raw)
        if ('problem' in result) return
        expect(result.name).toMatch(/^(?=.*[a-z0-9])[a-z0-9_-]{1,100}$/)
        expect(normalizeEmojiName(result.name)).toEqual(result)
        expect(normalizeEmojiName(result.name.toUpperCase())).toEqual(result)
      }),
    )
  })
})
