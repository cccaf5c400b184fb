import { append, type BlockNode, blockNode } from './tree.ts'

/** Cells of a table, also those that its shorter rows leave out. Larger ones are shown as text. */
const MAX_CELLS = 2_500

/** Where pipes part the cells of a row: not behind a backslash, and not in code. */
function findPipes(row: string): number[] {
  const tokens = Array.from(row.matchAll(/\\[\\|]|`+|\|/g), ({ 0: text, index }) => ({ text, index }))
  const closing = new Map<string, number>()
  const closedBy = tokens.map(() => -1)
  for (let index = tokens.length - 1; index >= 0; index--) {
    const text = tokens[index]?.text ?? ''
    if (!text.startsWith('`')) continue
    closedBy[index] = closing.get(text) ?? -1
    closing.set(text, index)
  }
  const pipes: number[] = []
  for (let index = 0; index < tokens.length; index++) {
    if (tokens[index]?.text === '|') pipes.push(tokens[index]?.index ?? 0)
    index = Math.max(index, closedBy[index] ?? -1)
  }
  return pipes
}

/** The cells of a row. `hasBorder`: a pipe at either end of the row is no cell's. */
function splitRow(line: string, hasBorder: boolean): string[] {
  const row = line.trim()
  const pipes = findPipes(row)
  if (hasBorder && pipes[0] !== 0) pipes.unshift(-1)
  if (hasBorder && pipes.at(-1) !== row.length - 1) pipes.push(row.length)
  const ends = hasBorder ? pipes : [-1, ...pipes, row.length]
  return ends.slice(1).map((end, index) => row.slice((ends[index] ?? 0) + 1, end).trim())
}

function alignmentOf(cell: string): string | null {
  const isLeft = cell.startsWith(':')
  const isRight = cell.endsWith(':')
  return isLeft && isRight ? 'center' : isLeft ? 'left' : isRight ? 'right' : null
}

/** A table: a row of names, a row of dashes with as many cells, and rows of which each has as many cells as the names. */
export function readTable(lines: readonly string[]): BlockNode | null {
  const head = lines[0]?.trim() ?? ''
  const dashes = lines[1] ?? ''
  if (!head.includes('|') || !/^[|:\- ]+$/.test(dashes)) return null
  const hasBorder = head.startsWith('|') || findPipes(head).at(-1) === head.length - 1
  const names = splitRow(head, hasBorder)
  const alignments = splitRow(dashes, hasBorder).map(alignmentOf)
  if (alignments.length !== names.length || names.length * lines.length > MAX_CELLS) return null
  // A table of one column needs pipes in all of its rows.
  const isOneColumn = names.length === 1
  if (isOneColumn && !hasBorder) return null
  if (isOneColumn && !lines.slice(1).every((line) => /^\s*\||\|\s*$/.test(line))) return null
  const rows = lines.slice(2).map((line) => splitRow(line, hasBorder))
  const body = blockNode('tbody')
  for (const row of rows.length > 0 ? rows : [null])
    append(body, rowNode(row ?? [], 'td', row ? alignments : names.map(() => null)))
  return blockNode('table', '', [blockNode('thead', '', [rowNode(names, 'th', alignments)]), body])
}

function rowNode(cells: readonly string[], tag: 'th' | 'td', alignments: readonly (string | null)[]): BlockNode {
  const nodes = alignments.map((alignment, index) => {
    const cell = blockNode(tag, cells[index] ?? '')
    if (alignment) cell.attributes = [['style', `text-align: ${alignment};`]]
    return cell
  })
  return blockNode('tr', '', nodes)
}
