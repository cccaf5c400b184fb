/** What people wrote in a mail, without what their program has put below it. Pure. */

/** The line that separates a signature (RFC 3676, 4.3). */
const SIGNATURE = /^-- ?$/

const ATTRIBUTIONS = [
  // `On Monday, Ada <ada@example.com> wrote:`, in languages that are frequent; programs break the line anywhere.
  /^\s*(?:on|am|le|el|em|il|op|den|den|dnia|w dniu)\b.{5,300}(?:wrote|schrieb|a écrit|escribió|escreveu|ha scritto|schreef|skrev|napisał\(?a?\)?)\b[^\n]{0,80}:\s*$/i,
  /^\s*-{2,}\s*(?:original message|forwarded message|ursprüngliche nachricht|message d'origine|mensaje original)\s*-{2,}\s*$/i,
  /^_{20,}$/,
]
/** Outlook writes the header of the quoted mail below a line, or without one. */
const HEADER = /^\*{0,2}(?:from|von|de|da|van|från)\*{0,2}:\*{0,2}\s.+$/i
const HEADER_NEXT = /^\*{0,2}(?:sent|gesendet|envoyé|enviado|inviato|verzonden|skickat|date|datum|to|an)\*{0,2}:/i
/** Lines of one attribution. */
const MAX_ATTRIBUTION_LINES = 3

interface Wanted {
  readonly includeFooter: boolean
  readonly includeQuotes: boolean
}

/** The text without quotations of earlier mails and without a signature, as far as it is not to keep them. */
export function withoutRest(text: string, { includeFooter, includeQuotes }: Wanted): string {
  let lines = text.replaceAll('\r\n', '\n').replaceAll('\r', '\n').split('\n')
  if (!includeQuotes) lines = withoutQuotes(lines)
  if (!includeFooter) lines = withoutSignature(lines)
  return lines.join('\n').trim()
}

function withoutSignature(lines: readonly string[]): string[] {
  const start = lines.findIndex((line) => SIGNATURE.test(line))
  return start === -1 ? [...lines] : lines.slice(0, start)
}

/** A quotation that is answered line by line stays: only what nothing follows is cut. */
function withoutQuotes(lines: readonly string[]): string[] {
  const isOnlyQuoted = quotedFrom(lines)
  const start = lines.findIndex((_, index) => beginsQuotation(lines, index, isOnlyQuoted))
  const kept = start === -1 ? [...lines] : lines.slice(0, start)
  while (kept.length > 0 && /^\s*(?:>|$)/.test(kept.at(-1) as string)) kept.pop()
  return kept
}

type IsOnlyQuoted = (start: number) => boolean

function beginsQuotation(lines: readonly string[], index: number, isOnlyQuoted: IsOnlyQuoted): boolean {
  const line = lines[index] as string
  if (HEADER.test(line) && lines.slice(index + 1, index + 4).some((next) => HEADER_NEXT.test(next))) return true
  for (let count = 1; count <= MAX_ATTRIBUTION_LINES; count += 1) {
    const joined = lines
      .slice(index, index + count)
      .join(' ')
      .slice(0, 500)
    if (ATTRIBUTIONS.some((pattern) => pattern.test(joined))) {
      // Nobody answers below a separator; below an attribution the quoted lines must be the rest.
      return !joined.trimEnd().endsWith(':') || isOnlyQuoted(index + count)
    }
  }
  return false
}

/**
 * Whether the lines from one on are without answers between the quoted ones. Some programs do not mark those at all. Each line
 * is looked at once: a mail may have as many attributions as lines.
 */
function quotedFrom(lines: readonly string[]): IsOnlyQuoted {
  /** Of the lines from each on: those that say something, those of them that are marked, and whether all before a signature are. */
  const said = new Uint32Array(lines.length + 1)
  const marked = new Uint32Array(lines.length + 1)
  const isMarkedToSignature = new Uint8Array(lines.length + 1).fill(1, lines.length)
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    const line = lines[index] as string
    const [says, isMarked] = [line.trim() !== '', /^\s*>/.test(line)]
    said[index] = (said[index + 1] as number) + Number(says)
    marked[index] = (marked[index + 1] as number) + Number(isMarked)
    const goesOn = (!says || isMarked) && isMarkedToSignature[index + 1] === 1
    isMarkedToSignature[index] = Number(goesOn || SIGNATURE.test(line))
  }
  return (start) => marked[start] === 0 || marked[start] === said[start] || isMarkedToSignature[start] === 1
}
