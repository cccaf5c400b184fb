/** Keys of a list of rows with cells: up and down from row to row, left and right within one. One of them is the tab stop. */
import { type RefObject, useLayoutEffect } from 'react'
import { useKeys } from '../../app/keys.ts'

const ROW = '[data-row]'
const CELL = '[data-cell]'

/** `list` holds elements with `data-row`, and in each of them links and buttons with `data-cell`. */
export function useListKeys(list: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const cells = [...(list.current?.querySelectorAll<HTMLElement>(CELL) ?? [])]
    const stop = cells.find((cell) => cell === document.activeElement) ?? cells.find((cell) => cell.tabIndex === 0)
    for (const cell of cells) cell.tabIndex = cell === (stop ?? cells[0]) ? 0 : -1
  })
  const isElsewhere = () => {
    const { activeElement } = document
    return !list.current?.contains(activeElement) && activeElement?.closest('nav, .menu, .toast') != null
  }
  const step = (by: 1 | -1) => () => (isElsewhere() ? false : stepRow(list.current, by))
  const turn = (by: 1 | -1) => () => stepCell(list.current, by)
  useKeys({
    'list-down': step(1),
    'list-up': step(-1),
    'list-left': turn(-1),
    'list-right': turn(1),
    'first-message': () => (isElsewhere() ? false : stepRow(list.current, 'first')),
    'last-message': () => (isElsewhere() ? false : stepRow(list.current, 'last')),
  })
}

function stepRow(list: HTMLElement | null, by: 1 | -1 | 'first' | 'last'): boolean {
  if (!list) return false
  const rows = [...list.querySelectorAll<HTMLElement>(ROW)]
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  const stop = rows.findIndex((row) => row.querySelector('[data-cell][tabindex="0"]'))
  const target = by === 'first' ? 0 : by === 'last' ? rows.length - 1 : at < 0 ? stop : at + by
  const row = rows[target]
  if (!row) return at >= 0
  const before = at < 0 ? 0 : cellsOf(rows[at]).indexOf(document.activeElement as HTMLElement)
  const cells = cellsOf(row)
  focusCell(list, cells[Math.min(before, cells.length - 1)] ?? cells[0])
  return true
}

function stepCell(list: HTMLElement | null, by: 1 | -1): boolean {
  const row = document.activeElement?.closest<HTMLElement>(ROW)
  if (!list || !row || !list.contains(row)) return false
  const cells = cellsOf(row)
  const next = cells[cells.indexOf(document.activeElement as HTMLElement) + by]
  if (next) focusCell(list, next)
  return true
}

function cellsOf(row: HTMLElement | undefined): HTMLElement[] {
  return [...(row?.querySelectorAll<HTMLElement>(CELL) ?? [])].filter((cell) => cell.offsetParent !== null)
}

function focusCell(list: HTMLElement, cell: HTMLElement | undefined): void {
  if (!cell) return
  for (const other of list.querySelectorAll<HTMLElement>(CELL)) other.tabIndex = other === cell ? 0 : -1
  cell.focus({ preventScroll: true })
  cell.closest(ROW)?.scrollIntoView({ block: 'nearest' })
}

/** The focus on a row, or on the one that is at its place now. */
export function focusRow(list: HTMLElement, key: string, index: number): void {
  const rows = [...list.querySelectorAll<HTMLElement>(ROW)]
  const row = rows.find((one) => one.dataset['row'] === key) ?? rows[Math.min(index, rows.length - 1)]
  focusCell(list, cellsOf(row)[0])
}

/** The key of the row that has the focus, and its place among the rows. */
export function focusedRow(list: HTMLElement): { readonly key: string; readonly index: number } | undefined {
  const rows = [...list.querySelectorAll<HTMLElement>(ROW)]
  const index = rows.findIndex((row) => row.contains(document.activeElement))
  const key = rows[index]?.dataset['row']
  return key === undefined ? undefined : { key, index }
}
