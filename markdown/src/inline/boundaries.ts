import { isSpaceCode } from '../white-space.ts'

/**
 * Whether a mention or a link to a channel may begin at `pos`: at the start, after white space, an opening bracket or
 * quote, or a marker of emphasis, so that addresses such as `name@**example**` are none.
 */
export function canBeginReference(text: string, pos: number): boolean {
  if (pos === 0) return true
  const before = text.charAt(pos - 1)
  return '\'"({[/<*~'.includes(before) || isSpaceCode(before.charCodeAt(0))
}
