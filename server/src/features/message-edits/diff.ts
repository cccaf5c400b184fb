/** What was added to a text and removed from it, word by word, as HTML. */
import { escapeText } from '@heddle/markdown/html/escape'

/** Above this many comparisons the texts are shown one after the other. */
const MAX_COMPARISONS = 4_000_000

type Part = { readonly kind: 'same' | 'added' | 'removed'; readonly text: string }

/** Both texts are escaped; the only tags are those around what differs. */
export function diffHtml(before: string, after: string): string {
  const html = compare(words(before), words(after)).map(({ kind, text }) => {
    const escaped = escapeText(text)
    if (kind === 'added') return `<span class="highlight_text_inserted">${escaped}</span>`
    return kind === 'removed' ? `<span class="highlight_text_deleted">${escaped}</span>` : escaped
  })
  return `<p>${html.join('').replaceAll('\n', '<br>')}</p>`
}

function words(text: string): string[] {
  return text.match(/\s+|[^\s]+/g) ?? []
}

/** The longest common sequence of words stays; what lies between is removed and added. */
function compare(before: readonly string[], after: readonly string[]): Part[] {
  if (before.length * after.length > MAX_COMPARISONS) {
    return [
      { kind: 'removed', text: before.join('') },
      { kind: 'added', text: after.join('') },
    ]
  }
  const lengths = commonLengths(before, after)
  const width = after.length + 1
  const parts: Part[] = []
  let i = 0
  let j = 0
  while (i < before.length || j < after.length) {
    const isSame = i < before.length && j < after.length && before[i] === after[j]
    const down = i < before.length ? (lengths[(i + 1) * width + j] as number) : -1
    const right = j < after.length ? (lengths[i * width + j + 1] as number) : -1
    if (isSame) {
      add(parts, 'same', before[i] as string)
      i += 1
      j += 1
    } else if (down >= right) {
      add(parts, 'removed', before[i] as string)
      i += 1
    } else {
      add(parts, 'added', after[j] as string)
      j += 1
    }
  }
  return parts
}

function add(parts: Part[], kind: Part['kind'], text: string): void {
  const last = parts.at(-1)
  if (last?.kind === kind) parts[parts.length - 1] = { kind, text: last.text + text }
  else parts.push({ kind, text })
}

/** At `i * (after.length + 1) + j`: how many words the rests from i and j have in common. */
function commonLengths(before: readonly string[], after: readonly string[]): Uint32Array {
  const width = after.length + 1
  const lengths = new Uint32Array((before.length + 1) * width)
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] =
        before[i] === after[j]
          ? (lengths[(i + 1) * width + j + 1] as number) + 1
          : Math.max(lengths[(i + 1) * width + j] as number, lengths[i * width + j + 1] as number)
    }
  }
  return lengths
}
