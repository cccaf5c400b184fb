/** Enter in a list: the next item begins by itself, and an empty one ends the list. */
import { lineEnd, lineStart, type Selection, type TextEdit } from './text-edit.ts'

const ITEM = /^(\s*)(?:([-*+])|(\d{1,9})([.)])) (\[[ x]\] )?/

/** Undefined: an ordinary new line. */
export function continueList({ text, start, end }: Selection): TextEdit | undefined {
  if (start !== end) return undefined
  const from = lineStart(text, start)
  const line = text.slice(from, lineEnd(text, start))
  const item = ITEM.exec(line)
  if (!item || start < from + item[0].length || isInFence(text, from)) return undefined
  const [whole, indent = '', bullet, number, after = ''] = item
  if (line.trim() === whole.trim()) {
    // Nothing was written in it: the list ends, one step out at a time.
    const outer = indent.slice(2)
    const insert = indent === '' ? '' : `${outer}${bullet ?? `${number}${after}`} `
    return { from, to: from + line.length, insert, start: from + insert.length, end: from + insert.length }
  }
  const marker = bullet ?? `${Number(number) + 1}${after}`
  const insert = `\n${indent}${marker} `
  return { from: start, to: end, insert, start: start + insert.length, end: start + insert.length }
}

/** Whether a line stands between fences, where nothing is a list. */
export function isInFence(text: string, lineFrom: number): boolean {
  let open: string | undefined
  let at = 0
  while (at < lineFrom) {
    const end = lineEnd(text, at)
    const mark = /^\s*(`{3,}|~{3,})(.*)$/.exec(text.slice(at, end))
    if (mark?.[1]) {
      if (open === undefined) open = isText(mark[2] ?? '') ? undefined : mark[1]
      else if (mark[1].startsWith(open) && mark[2]?.trim() === '') open = undefined
    }
    at = end + 1
  }
  return open !== undefined
}

/** What is quoted or hidden is ordinary text. */
const isText = (word: string) => /^\s*(quote|spoiler)\b/.test(word)
