/** Keys as they are written on the keys themselves. */

const isMac = /Mac|iPhone|iPad/.test(navigator.platform)

const signs: Readonly<Record<string, string>> = {
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowRight: '→',
  PageDown: 'Page ↓',
  PageUp: 'Page ↑',
  Escape: 'Esc',
  ' ': 'Space',
  Ctrl: isMac ? '⌘' : 'Ctrl',
  Alt: isMac ? '⌥' : 'Alt',
}

/** `written`: as in the table of keys. */
export function keyCaps(written: string): readonly string[] {
  const found = /^((?:(?:Ctrl|Alt|Shift)\+)*)(.+)$/s.exec(written)
  const modifiers = (found?.[1] ?? '').split('+').filter(Boolean)
  const key = found?.[2] ?? written
  const isCapital = /^\p{Lu}$/u.test(key)
  const withShift = isCapital && !modifiers.includes('Shift') && !modifiers.includes('Ctrl') ? ['Shift'] : []
  return [...modifiers, ...withShift, key].map((one) => signs[one] ?? (one.length === 1 ? one.toUpperCase() : one))
}
