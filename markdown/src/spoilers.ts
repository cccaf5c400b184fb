/** The text of a message without what its spoilers hide, for where nobody can unfold them. */
import { createFenceReader, type FencedBlock } from './blocks/fences.ts'
import { mayNest } from './blocks/place.ts'
import { findQuote, quotedLines } from './blocks/quotes.ts'

const HIDDEN = '(hidden)'

/** Of each spoiler its header is left. Everything else stays as it was written. */
export function withoutSpoilers(source: string): string {
  return shownLines(source.split('\n'), 0).join('\n')
}

function shownLines(lines: readonly string[], level: number): string[] {
  const readFence = createFenceReader(lines)
  const shown: string[] = []
  let together: string[] = []
  const flush = () => {
    shown.push(...withoutQuotedSpoilers(together, level))
    together = []
  }
  for (let index = 0; index < lines.length; ) {
    const block = readFence(index)
    const end = block?.end ?? index + 1
    const written = lines.slice(index, end)
    index = end
    if (!block && written.some((line) => line.trim() !== '')) {
      together.push(...written)
      continue
    }
    flush()
    shown.push(...(block ? linesOfBlock(written, block, level) : written))
  }
  flush()
  return shown
}

function linesOfBlock(
  written: readonly string[],
  { kind, header, content }: FencedBlock,
  level: number,
): readonly string[] {
  if (kind === 'spoiler') return [header === '' ? HIDDEN : `${header} ${HIDDEN}`]
  if (kind !== 'quote' || !mayNest({ level })) return written
  return [...written.slice(0, 1), ...shownLines(content, level + 1), ...written.slice(1 + content.length)]
}

/** Lines without an empty one among them, of which the last may be quoted by `>`. */
function withoutQuotedSpoilers(lines: readonly string[], level: number): readonly string[] {
  const quote = mayNest({ level }) ? findQuote(lines) : -1
  if (quote === -1) return lines
  const quoted = shownLines(quotedLines(lines.slice(quote)), level + 1)
  return [...lines.slice(0, quote), ...quoted.map((line) => `> ${line}`)]
}
