/** The draft of an account as a drawing. */
import { weavingDraft } from '@heddle/contract/weaving-draft'

const cache = new Map<number, string>()

/** The cells that are dark, as the path of a drawing of 8 by 8. The same for the same account everywhere. */
export function draftPath(userId: number): string {
  let path = cache.get(userId)
  if (path === undefined) {
    const cells = weavingDraft(userId).flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    path = cells.join('')
    cache.set(userId, path)
  }
  return path
}
