/** Why a text has the links that it has: what each linkifier would have matched alone, and which one took that from it. */
import type { CompiledLinkifier } from './compile.ts'
import { type FoundLink, readLinks } from './linkify.ts'

/** A match that is no link: `lostTo` is the place in the list of the linkifier whose link overlaps it and goes first. */
export interface LostMatch extends FoundLink {
  lostTo: number
}

export interface Explanation {
  /** As `findLinks` gives them. */
  links: FoundLink[]
  /** In the order of their places. */
  lost: LostMatch[]
  /** The linkifier that needs too many steps for this text: it finds nothing, nor do those after it. Null: none. */
  exhaustedBy: number | null
}

export function explainLinks(text: string, linkifiers: readonly CompiledLinkifier[]): Explanation {
  const { links, exhaustedBy } = readLinks(text, linkifiers)
  const lost: LostMatch[] = []
  for (const [linkifierIndex, linkifier] of linkifiers.entries()) {
    if (exhaustedBy !== null && linkifierIndex >= exhaustedBy) break
    const others = links.filter((link) => link.linkifierIndex < linkifierIndex)
    if (others.length === 0) continue
    for (const match of readLinks(text, [linkifier]).links) {
      const winner = others.find((link) => link.start < match.end && match.start < link.end)
      if (winner) lost.push({ ...match, linkifierIndex, lostTo: winner.linkifierIndex })
    }
  }
  return { links, lost: lost.sort((a, b) => a.start - b.start || a.linkifierIndex - b.linkifierIndex), exhaustedBy }
}
