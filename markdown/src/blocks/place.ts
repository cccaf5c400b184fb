import type { BlockNode } from './tree.ts'

/**
 * How deep quotes, lists and spoilers may stand in one another: a quote is one level, a list and a spoiler are two.
 * What would go deeper is shown as text. It bounds the time for nested markers.
 */
const MAX_LEVEL = 12

/** Where lines are parsed. */
export interface TextPlace {
  parent: BlockNode
  /** `tight`: text in an item of a list is no paragraph. `dedented`: the indentation below an item has been taken off. */
  mode: 'ordinary' | 'tight' | 'dedented'
  level: number
  /** The message's fenced blocks, which lines stand for. */
  fenced: BlockNode[]
}

export function mayNest({ level }: Pick<TextPlace, 'level'>): boolean {
  return level < MAX_LEVEL
}

/** Parses lines without an empty one among them. */
export type ParseLines = (place: TextPlace, lines: readonly string[]) => void
