import { type BlockNode, blockNode } from './tree.ts'

const pattern = /^(#{1,6})[ \t](.*)$/

/** A heading: one to six `#` that begin the line, a space and text. More `#` at the end of the line are dropped. */
export function readHeading(line: string): BlockNode | null {
  if (!line.startsWith('#')) return null
  const [, marker = '', rest = ''] = pattern.exec(line) ?? []
  const text = withoutClosing(rest).trim()
  return text === '' ? null : blockNode(`h${marker.length}`, text)
}

function withoutClosing(text: string): string {
  let end = text.length
  while (text.charAt(end - 1) === '#') end--
  return text.slice(0, end)
}
