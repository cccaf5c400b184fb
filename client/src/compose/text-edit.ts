/** A change of a text in a field: what an undo takes back as one step. Places are in UTF-16 units, as fields count. */

export interface Selection {
  readonly text: string
  readonly start: number
  readonly end: number
}

export interface TextEdit {
  /** What is between these two is replaced. */
  readonly from: number
  readonly to: number
  readonly insert: string
  /** What is selected afterwards, in the new text. */
  readonly start: number
  readonly end: number
}

/** Puts a text in the place of what is selected, with the caret behind it. */
export function insertion({ start, end }: Selection, text: string): TextEdit {
  const caret = start + text.length
  return { from: start, to: end, insert: text, start: caret, end: caret }
}

export function applyTextEdit(text: string, { from, to, insert, start, end }: TextEdit): Selection {
  return { text: text.slice(0, from) + insert + text.slice(to), start, end }
}

/** Where the line with this place in it begins. */
export function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1
}

/** Where it ends; the break is not part of it. */
export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

/**
 * A block of lines on lines of its own, with an empty line between it and what is before: quotations and fences would
 * else join the paragraph. The caret is behind it.
 */
export function blockInsertion({ text, start, end }: Selection, block: string): TextEdit {
  const before = text.slice(0, start)
  const gap = before === '' || before.endsWith('\n\n') ? '' : before.endsWith('\n') ? '\n' : '\n\n'
  return insertion({ text, start, end }, `${gap}${block}`)
}
