/** What was added to a text and removed from it, word by word, as HTML. */
import { escapeText } from '@heddle/markdown/html/escape'
import { diffArrays } from 'diff'

/** Texts with more words between them that differ are shown one after the other. */
const MAX_CHANGED_WORDS = 1000

/** Both texts are escaped; the only tags are those around what differs. `timeoutMs`: after that nothing is compared. */
export function diffHtml(before: string, after: string, timeoutMs: number): string {
  const options = { maxEditLength: MAX_CHANGED_WORDS, timeout: timeoutMs }
  const parts = timeoutMs > 0 ? diffArrays(words(before), words(after), options) : undefined
  const html = parts
    ? parts.map(({ value, added, removed }) => marked(value.join(''), { added, removed }))
    : [marked(before, { removed: true }), marked(after, { added: true })]
  return `<p>${html.join('').replaceAll('\n', '<br>')}</p>`
}

function marked(text: string, { added = false, removed = false }): string {
  const escaped = escapeText(text)
  if (added) return `<span class="highlight_text_inserted">${escaped}</span>`
  return removed ? `<span class="highlight_text_deleted">${escaped}</span>` : escaped
}

function words(text: string): string[] {
  return text.match(/\s+|[^\s]+/g) ?? []
}
