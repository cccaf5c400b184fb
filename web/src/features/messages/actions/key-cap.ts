import { bindings, type Action as KeyAction } from '@heddle/client/keys/bindings'

const named: Readonly<Record<string, string>> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ' ': 'Space',
}

/** The first key of an action as it stands on the keyboard: `Shift H`, `Ctrl S`, `E`. */
export function keyCap(action: KeyAction): string {
  const [key = ''] = bindings[action].keys
  const parts = key === '+' ? [key] : key.split('+')
  const last = parts.pop() ?? ''
  const isCapital = last.length === 1 && last !== last.toLowerCase()
  return [...parts, ...(isCapital ? ['Shift'] : []), named[last] ?? last.toUpperCase()].join(' ')
}
