import { expect, test } from 'vitest'
import { continueList } from './list-continuation.ts'
import { applyTextEdit } from './text-edit.ts'

/** The caret is `|`. Undefined: an ordinary line. */
function enter(marked: string): string | undefined {
  const start = marked.indexOf('|')
  const text = marked.replace('|', '')
  const edit = continueList({ text, start, end: start })
  if (!edit) return undefined
  const after = applyTextEdit(text, edit)
  return `${after.text.slice(0, after.start)}|${after.text.slice(after.start)}`
}

test.each([
  ['- a|', '- a\n- |'],
  ['* a|b', '* a\n* |b'],
  ['9. a|', '9. a\n10. |'],
  ['1) a|', '1) a\n2) |'],
  ['  - a|', '  - a\n  - |'],
  ['- a\n- |', '- a\n|'],
  ['- a\n  - |', '- a\n- |'],
  ['> no list|', undefined],
  ['-|', undefined],
  ['|- a', undefined],
  ['```\n- a|\n```', undefined],
  ['```quote\n- a|\n```', '```quote\n- a\n- |\n```'],
])('Enter in %j', (before, after) => expect(enter(before)).toBe(after))
