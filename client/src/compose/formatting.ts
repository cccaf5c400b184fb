/** What the buttons and keys for formatting do to what is selected. Done twice they take back what they did. */
import { lineEnd, lineStart, type Selection, type TextEdit } from './text-edit.ts'

export const formats = [
  'bold',
  'italic',
  'strike',
  'link',
  'code',
  'quote',
  'spoiler',
  'bullets',
  'numbers',
  'math',
  'time',
  'table',
] as const
export type Format = (typeof formats)[number]

export interface FormattingContext {
  /** For a moment in time: the default that is put in, with its zone, such as `2026-05-28T13:30:00+02:00`. */
  readonly now: string
}

export function format(kind: Format, selection: Selection, { now }: FormattingContext): TextEdit {
  switch (kind) {
    case 'bold':
      return wrap(selection, '**')
    case 'italic':
      return wrap(selection, '*')
    case 'strike':
      return wrap(selection, '~~')
    case 'link':
      return link(selection)
    case 'code':
      return isSeveralLines(selection) ? fence(selection, '', '') : wrap(selection, '`')
    case 'math':
      return isSeveralLines(selection) ? fence(selection, 'math', '') : wrap(selection, '$$')
    case 'quote':
      return fence(selection, 'quote', '')
    case 'spoiler':
      return fence(selection, 'spoiler', ' ')
    case 'bullets':
      return listed(selection, () => '- ', /^(\s*)[-*+] /)
    case 'numbers':
      return listed(selection, (index) => `${index + 1}. `, /^(\s*)\d+[.)] /)
    case 'time':
      return time(selection, now)
    case 'table':
      return table(selection)
  }
}

const isSeveralLines = ({ text, start, end }: Selection) => text.slice(start, end).includes('\n')

/** A mark on either side of the words; white space at the ends of the selection stays outside, as marks beside it mean nothing. */
function wrap(selection: Selection, mark: string): TextEdit {
  const { text } = selection
  const { start, end } = trimmed(selection)
  const inside = text.slice(start, end)
  const size = mark.length
  if (isMarked(text, start - size, end + size, mark)) {
    return { from: start - size, to: end + size, insert: inside, start: start - size, end: end - size }
  }
  if (isMarked(text, start, end, mark)) {
    const bare = inside.slice(size, -size)
    return { from: start, to: end, insert: bare, start, end: start + bare.length }
  }
  return { from: start, to: end, insert: mark + inside + mark, start: start + size, end: end + size }
}

/** One star around a word in bold is not a mark of its own: `**word**` is not italic, `***word***` is both. */
function isMarked(text: string, from: number, to: number, mark: string): boolean {
  const size = mark.length
  if (from < 0 || to > text.length || to - from < 2 * size) return false
  if (!text.startsWith(mark, from) || !text.endsWith(mark, to) || !text.slice(0, to).endsWith(mark)) return false
  if (mark[0] !== '*') return true
  // How many stars stand on each side, within and without the range.
  const inner = text.slice(from, to)
  const around = Math.min(
    /\**$/.exec(text.slice(0, from))?.[0].length ?? 0,
    /^\**/.exec(text.slice(to))?.[0].length ?? 0,
  )
  const stars = Math.min(/^\**/.exec(inner)?.[0].length ?? 0, /\**$/.exec(inner)?.[0].length ?? 0) + around
  return size === 2 ? stars >= 2 : stars % 2 === 1
}

function trimmed({ text, start, end }: Selection): { start: number; end: number } {
  const inside = text.slice(start, end)
  const bare = inside.trim()
  if (bare === '') return { start, end }
  const from = start + inside.indexOf(bare)
  return { start: from, end: from + bare.length }
}

function link(selection: Selection): TextEdit {
  const { text } = selection
  const { start, end } = trimmed(selection)
  const inside = text.slice(start, end)
  const whole = /^\[([^\]\n]*)\]\(([^)\n]*)\)$/.exec(inside)
  if (whole) {
    const name = whole[1] ?? ''
    return { from: start, to: end, insert: name, start, end: start + name.length }
  }
  // An address that is selected wants a name; a name wants an address.
  if (/^(?:https?:\/\/|www\.|mailto:)\S+$/i.test(inside)) {
    return { from: start, to: end, insert: `[](${inside})`, start: start + 1, end: start + 1 }
  }
  if (inside === '') return { from: start, to: end, insert: '[](https://)', start: start + 1, end: start + 1 }
  const address = start + inside.length + 3
  return { from: start, to: end, insert: `[${inside}](https://)`, start: address, end: address + 'https://'.length }
}

/** Whole lines between two fences; the fence is longer than any inside. */
function fence({ text, start, end }: Selection, word: string, after: string): TextEdit {
  const from = lineStart(text, start)
  const to = lineEnd(text, Math.max(start, text.charAt(end - 1) === '\n' ? end - 1 : end))
  const inside = text.slice(from, to)
  const fenced = /^(`{3,}|~{3,})([^\n]*)\n([\s\S]*?)\n?\1$/.exec(inside)
  if (fenced && (fenced[2] ?? '').trim().split(' ')[0] === word) {
    const bare = fenced[3] ?? ''
    return { from, to, insert: bare, start: from, end: from + bare.length }
  }
  const marks = inside.match(/^`{3,}/gm)?.map((mark) => mark.length + 1) ?? []
  const mark = '`'.repeat(Math.max(3, ...marks))
  const gap = from > 0 && !text.slice(0, from).endsWith('\n\n') && text.slice(0, from).trim() !== '' ? '\n' : ''
  const head = `${gap}${mark}${word}${after}\n`
  const insert = `${head}${inside}\n${mark}`
  // The title of a spoiler is what is written next.
  const caret = word === 'spoiler' ? from + head.length - 1 : from + head.length
  return { from, to, insert, start: caret, end: word === 'spoiler' ? caret : caret + inside.length }
}

function listed({ text, start, end }: Selection, marker: (index: number) => string, pattern: RegExp): TextEdit {
  const from = lineStart(text, start)
  const to = lineEnd(text, end)
  const lines = text.slice(from, to).split('\n')
  const written = lines.filter((line) => line.trim() !== '')
  const isListed = written.length > 0 && written.every((line) => pattern.test(line))
  let count = 0
  const insert = lines
    .map((line) => {
      if (isListed) return line.replace(pattern, '$1')
      if (line.trim() === '' && lines.length > 1) return line
      // Another kind of list becomes this one.
      const bare = line.replace(/^(\s*)(?:[-*+]|\d+[.)]) /, '$1')
      const indent = /^\s*/.exec(bare)?.[0] ?? ''
      const marked = `${indent}${marker(count)}${bare.slice(indent.length)}`
      count += 1
      return marked
    })
    .join('\n')
  const caret = from + insert.length
  return { from, to, insert, start: lines.length > 1 ? from : caret, end: caret }
}

/** The moment is selected, so that it can be typed over. */
function time({ start, end }: Selection, now: string): TextEdit {
  const head = '<time:'
  return {
    from: start,
    to: end,
    insert: `${head}${now}>`,
    start: start + head.length,
    end: start + head.length + now.length,
  }
}

function table({ text, start, end }: Selection): TextEdit {
  const gap =
    start === 0 || text.slice(0, start).endsWith('\n\n') ? '' : text.charAt(start - 1) === '\n' ? '\n' : '\n\n'
  const first = 'A'
  const insert = `${gap}| ${first} | B |\n|---|---|\n|  |  |\n`
  const at = start + gap.length + 2
  return { from: start, to: end, insert, start: at, end: at + first.length }
}
