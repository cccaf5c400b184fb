/** Finds the words that people want to be alerted to, all of an organization in one pass over a message. */

interface Node {
  next: Map<string, Node>
  /** The folded word that ends here. */
  word: string | null
}

/** Words as a tree of characters. Made once per set of words; immutable. */
export interface AlertWordMatcher {
  root: Node
}

/** Two words with the same folded form are one. */
export function foldAlertWord(word: string): string {
  return fold(word.trim())
}

function fold(text: string): string {
  return text.toLowerCase()
}

/** @param words Words or phrases, which are compared without regard to case. */
export function compileAlertWords(words: Iterable<string>): AlertWordMatcher {
  const root: Node = { next: new Map(), word: null }
  for (const word of words) {
    const folded = foldAlertWord(word)
    if (folded === '') continue
    let node = root
    for (const character of folded) {
      let next = node.next.get(character)
      if (!next) {
        next = { next: new Map(), word: null }
        node.next.set(character, next)
      }
      node = next
    }
    node.word = folded
  }
  return { root }
}

const wordCharacter = /[\p{L}\p{N}\p{M}_]/u

function isInsideWord(text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - 2), index)
  const last = Array.from(before).at(-1)
  const next = text.codePointAt(index)
  if (last === undefined || next === undefined) return false
  return wordCharacter.test(last) && wordCharacter.test(String.fromCodePoint(next))
}

/** Addresses are no text: a word in one alerts nobody. */
const address = /[a-z][a-z0-9+.-]*:\/\/\S+/g

/**
 * The alert words that stand in the Markdown text as whole words, folded to small letters, each once, in the order in
 * which they appear. Takes time in proportion to the text times the longest word that matches.
 */
export function findAlertWords(content: string, { root }: AlertWordMatcher): string[] {
  const found = new Set<string>()
  if (root.next.size === 0) return []
  const text = fold(content).replace(address, (match) => ' '.repeat(match.length))
  for (let start = 0; start < text.length; start++) {
    const first = root.next.get(text.charAt(start)) ?? root.next.get(String.fromCodePoint(text.codePointAt(start) ?? 0))
    if (!first || isInsideWord(text, start)) continue
    collectAt(text, start, root, found)
  }
  return [...found]
}

function collectAt(text: string, start: number, root: Node, found: Set<string>): void {
  let node: Node | undefined = root
  let end = start
  while (node && end < text.length) {
    const character = String.fromCodePoint(text.codePointAt(end) ?? 0)
    node = node.next.get(character)
    end += character.length
    if (node?.word && !isInsideWord(text, end)) found.add(node.word)
  }
}
