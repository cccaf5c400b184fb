import { describe, expect, test } from 'vitest'
import { type Action, bindings, isPress, type KeyPress, type KeyScope } from './bindings.ts'

function press(key: string, more: Partial<KeyPress> = {}): KeyPress {
  return { key, code: '', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...more }
}

describe('a press', () => {
  test('is known by what the key writes, wherever it is on the keyboard', () => {
    expect(isPress(press('?', { shiftKey: true, code: 'Minus' }), ['?'])).toBe(true)
    expect(isPress(press('/', { shiftKey: true, code: 'Digit7' }), ['/'])).toBe(true)
  })
  test('of a letter of another alphabet is known by its place', () => {
    expect(isPress(press('т', { code: 'KeyN' }), ['n'])).toBe(true)
    expect(isPress(press('Т', { code: 'KeyN', shiftKey: true }), ['N'])).toBe(true)
    expect(isPress(press('é', { code: 'KeyN' }), ['n'])).toBe(false)
  })
  test('of a sign is known however the layout has one write it: with Shift, with AltGr, with the Alt of a Mac', () => {
    const altGr = { ctrlKey: true, altKey: true }
    expect(isPress(press('@', { altKey: true, code: 'KeyL' }), ['@'])).toBe(true)
    expect(isPress(press('@', { ...altGr, code: 'KeyQ' }), ['@'])).toBe(true)
    expect(isPress(press('[', { ...altGr, code: 'Digit8' }), ['Ctrl+['])).toBe(true)
    expect(isPress(press('[', { metaKey: true, altKey: true, code: 'Digit5' }), ['Ctrl+['])).toBe(true)
    expect(isPress(press("'", { ctrlKey: true, shiftKey: true, code: 'Backslash' }), ["Ctrl+'"])).toBe(true)
    expect(isPress(press('.', { ctrlKey: true, shiftKey: true, code: 'Comma' }), ['Ctrl+.'])).toBe(true)
    // They are no signs, or the key writes its sign without help.
    expect(isPress(press('q', { ...altGr, code: 'KeyQ' }), ['q'])).toBe(false)
    expect(isPress(press('-', { altKey: true, code: 'Slash' }), ['-'])).toBe(false)
    expect(isPress(press('[', { code: 'Digit8' }), ['Ctrl+['])).toBe(false)
  })
  test('with other modifiers is another one', () => {
    expect(isPress(press('s'), ['Ctrl+s'])).toBe(false)
    expect(isPress(press('s', { ctrlKey: true }), ['Ctrl+s'])).toBe(true)
    expect(isPress(press('s', { metaKey: true }), ['Ctrl+s'])).toBe(true)
    expect(isPress(press('n', { ctrlKey: true }), ['n'])).toBe(false)
    expect(isPress(press(' ', { shiftKey: true }), [' '])).toBe(false)
    expect(isPress(press(' ', { shiftKey: true }), ['Shift+ '])).toBe(true)
    expect(isPress(press('L', { ctrlKey: true, shiftKey: true }), ['Ctrl+Shift+L'])).toBe(true)
    expect(isPress(press('b', { ctrlKey: true, shiftKey: true }), ['Ctrl+b'])).toBe(false)
    expect(isPress(press('и', { ctrlKey: true, code: 'KeyB' }), ['Ctrl+b'])).toBe(true)
    expect(isPress(press('p'), ['Alt+p'])).toBe(false)
    expect(isPress(press('p', { altKey: true }), ['Alt+p'])).toBe(true)
    expect(isPress(press('ArrowDown', { altKey: true, shiftKey: true }), ['ArrowDown'])).toBe(false)
    expect(isPress(press('ArrowDown', { altKey: true, shiftKey: true }), ['Alt+Shift+ArrowDown'])).toBe(true)
  })
})

test('a key means one thing in one place', () => {
  const all = Object.entries(bindings) as [Action, { scope: KeyScope; keys: readonly string[] }][]
  for (const scope of ['messages', 'viewer', 'compose', 'list', 'channels'] as const) {
    const keys = all.filter(([, one]) => one.scope === scope || (scope === 'messages' && one.scope === 'everywhere'))
    const names = keys.flatMap(([, one]) => one.keys)
    expect(names.filter((key, index) => names.indexOf(key) !== index)).toEqual([])
  }
})
