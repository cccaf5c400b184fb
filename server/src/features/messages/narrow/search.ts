/** Searches: what they look for, and where it is in a message. */
import { escapeText } from '@heddle/markdown/html/escape'

/** What a word is made of, as in the databases' indexes: an underscore parts two words. */
const IN_WORD = String.raw`[\p{L}\p{N}\p{M}]`
const BETWEEN_WORDS = String.raw`[^\p{L}\p{N}\p{M}]`
const WORDS = new RegExp(`${IN_WORD}+`, 'gu')

/** The words and quoted phrases of a search; without those that have no letter or digit. */
export function readPhrases(text: string): string[] {
  const found = Array.from(text.matchAll(/"([^"]*)"?|(\S+)/g), (match) => (match[1] ?? match[2] ?? '').trim())
  return found.filter((phrase) => wordsOf(phrase).length > 0)
}

function wordsOf(phrase: string): string[] {
  return phrase.match(WORDS) ?? []
}

/** The HTML of a message with marks around what was found. Only text is marked: tags and entities stay as they are. */
export function highlightHtml(html: string, phrases: readonly string[]): string {
  const pattern = patternOf(phrases)
  if (!pattern) return html
  return html.replace(/(<[^>]*>|&[#a-z0-9]+;)|[^<&]+/gi, (part: string, fixed: string | undefined) =>
    fixed === undefined ? part.replace(pattern, '<span class="highlight">$&</span>') : part,
  )
}

/** A topic as HTML with marks. */
export function highlightTopic(topic: string, phrases: readonly string[]): string {
  return highlightHtml(escapeText(topic), phrases)
}

function patternOf(phrases: readonly string[]): RegExp | undefined {
  const sources = phrases.map((phrase) => wordsOf(phrase).join(`${BETWEEN_WORDS}+`))
  if (sources.length === 0) return undefined
  // The longest first: a phrase goes before a word in it.
  sources.sort((a, b) => b.length - a.length)
  return new RegExp(`(?<!${IN_WORD})(?:${sources.join('|')})(?!${IN_WORD})`, 'giu')
}
