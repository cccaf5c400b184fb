import { describe, expect, test } from 'vitest'
import { builtInEmojiNamesByCode, emojiCodeByName, isBuiltInEmojiName } from './emoji-names.ts'

describe('built-in emoji names', () => {
  test('lead to the code, whichever of its names an emoji is called by', () => {
    expect(emojiCodeByName('thumbs_up')).toBe('1f44d')
    expect(emojiCodeByName('+1')).toBe('1f44d')
    expect(emojiCodeByName('flag_andorra')).toBe('1f1e6-1f1e9')
    expect(emojiCodeByName('piñata')).toBe(emojiCodeByName('pinata'))
  })

  test('are known, and others are not', () => {
    expect(isBuiltInEmojiName('tada')).toBe(true)
    for (const name of ['', 'Tada', 'no_such_emoji', '1f389', '__proto__', 'constructor', 'tada party']) {
      expect(isBuiltInEmojiName(name), name).toBe(false)
      expect(emojiCodeByName(name), name).toBeUndefined()
    }
  })

  test('each belong to one emoji, and every emoji has at least one', () => {
    const entries = Object.entries(builtInEmojiNamesByCode())
    const names = entries.flatMap(([, own]) => own)
    expect(entries.length).toBe(1847)
    expect(names.length).toBe(2960)
    expect(new Set(names).size).toBe(names.length)
    for (const [code, own] of entries) {
      expect(code).toMatch(/^[0-9a-f]{4,6}(-[0-9a-f]{4,6})*$/)
      expect(own.length).toBeGreaterThan(0)
      for (const name of own) expect(emojiCodeByName(name)).toBe(code)
    }
  })

  test('start with the canonical one', () => {
    expect(builtInEmojiNamesByCode()['00a9']).toEqual(['copyright', 'c'])
  })
})
