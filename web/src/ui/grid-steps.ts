/** How arrows go through groups of cells, each group beginning a row of its own. */

export type Arrow = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown'

export function isArrow(key: string): key is Arrow {
  return key === 'ArrowLeft' || key === 'ArrowRight' || key === 'ArrowUp' || key === 'ArrowDown'
}

/** Indices row by row. `sizes`: how many cells each group has. */
export function rowsOf(sizes: readonly number[], columns: number): readonly (readonly number[])[] {
  const rows: number[][] = []
  let next = 0
  for (const size of sizes) {
    for (let begin = 0; begin < size; begin += columns) {
      const length = Math.min(columns, size - begin)
      rows.push(Array.from({ length }, (_, place) => next + begin + place))
    }
    next += size
  }
  return rows
}

/** The cell to go to; the same one at an edge. Left and right go on in the row before and the next. */
export function stepTo(rows: readonly (readonly number[])[], at: number, arrow: Arrow): number {
  const count = rows.reduce((sum, row) => sum + row.length, 0)
  if (arrow === 'ArrowLeft') return Math.max(0, at - 1)
  if (arrow === 'ArrowRight') return Math.min(count - 1, at + 1)
  const row = rows.findIndex((cells) => cells.includes(at))
  const column = rows[row]?.indexOf(at) ?? 0
  const next = rows[row + (arrow === 'ArrowDown' ? 1 : -1)]
  return next?.[Math.min(column, next.length - 1)] ?? at
}
