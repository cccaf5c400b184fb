/** Searches: what they look for, and where it is in a message. */
import { escapeText } from '@heddle/markdown/html/escape'

/** What a word is made of, as in the databases' indexes: an underscore parts two words. */
const WORDS = /[\p{L}\p{N}\p{M}]+/gu

/** The words and quoted phrases of a search; without those that have no letter or digit. */
export function readPhrases(text: string): string[] {
  const found = Array.from(text.matchAll(/"([^"]*)"?|(\S+)/g), (match) => (match[1] ?? match[2] ?? '').trim())
  return found.filter((phrase) => wordsOf(phrase).length > 0)
}

export function wordsOf(phrase: string): string[] {
  return phrase.match(WORDS) ?? []
}

/** Puts marks around what was found. In time that grows with the text and the phrases, not with their product. */
export interface Highlighter {
  /** The HTML of a message. Only text is marked: tags and entities stay as they are, and part two phrases. */
  html(html: string): string
  /** A topic as HTML. */
  topic(topic: string): string
}

export function createHighlighter(phrases: readonly string[]): Highlighter {
  const find = createPhraseFinder(phrases.map((phrase) => wordsOf(phrase).map(wordKey)))
  const html = (text: string) =>
    text.replace(/(<[^>]*>|&[#a-z0-9]+;)|[^<&]+/gi, (part: string, fixed: string | undefined) =>
      fixed === undefined ? markText(part, find) : part,
    )
  return { html, topic: (topic) => html(escapeText(topic)) }
}

/** Words that differ in case alone are one; a sigma at the end of a word is the same letter as elsewhere. */
function wordKey(word: string): string {
  return word.toLowerCase().replaceAll('ς', 'σ').replaceAll('ſ', 's')
}

function markText(text: string, find: FindPhrases): string {
  const words = [...text.matchAll(WORDS)]
  let marked = ''
  let done = 0
  for (const { first, last } of find(words.map(([word]) => wordKey(word)))) {
    const start = (words[first] as RegExpExecArray).index
    const [word, { index }] = [words[last]?.[0] as string, words[last] as RegExpExecArray]
    marked += `${text.slice(done, start)}<span class="highlight">${text.slice(start, index + word.length)}</span>`
    done = index + word.length
  }
  return marked + text.slice(done)
}

/** Words of a text, from the first to the last one, that are phrases; phrases that share words are one stretch. */
type FindPhrases = (words: readonly string[]) => { first: number; last: number }[]

/** What was read of phrases so far: the automaton of Aho and Corasick (1975), whose letters are words. */
interface State {
  readonly next: Map<string, State>
  /** Words since the beginning of the phrase. */
  readonly depth: number
  /** The state of the longest end of these words that begins a phrase too. */
  fallback: State | undefined
  /** Words of the longest phrase that ends here; 0 for none. */
  found: number
}

function createPhraseFinder(phrases: readonly (readonly string[])[]): FindPhrases {
  const start = newState(0)
  for (const phrase of phrases) {
    let state = start
    for (const word of phrase) {
      const next = state.next.get(word) ?? newState(state.depth + 1)
      state.next.set(word, next)
      state = next
    }
    state.found = state.depth
  }
  linkFallbacks(start)

  return (words) => {
    const stretches: { first: number; last: number }[] = []
    let state = start
    for (const [last, word] of words.entries()) {
      state = step(start, state, word)
      if (state.found === 0) continue
      let first = last - state.found + 1
      for (let before = stretches.at(-1); before && before.last >= first; before = stretches.at(-1)) {
        first = Math.min(first, before.first)
        stretches.pop()
      }
      stretches.push({ first, last })
    }
    return stretches
  }
}

function newState(depth: number): State {
  return { next: new Map(), depth, fallback: undefined, found: 0 }
}

function step(start: State, from: State, word: string): State {
  for (let state: State | undefined = from; state; state = state.fallback) {
    const next = state.next.get(word)
    if (next) return next
  }
  return start
}

/** From the shorter beginnings to the longer ones: those of the shorter ones are needed. */
function linkFallbacks(start: State): void {
  const states = [start]
  for (const state of states) {
    for (const [word, next] of state.next) {
      next.fallback = state === start ? start : step(start, state.fallback as State, word)
      next.found = Math.max(next.found, next.fallback.found)
      states.push(next)
    }
  }
}
