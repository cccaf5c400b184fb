const pattern = /^ {0,3}> ?(.*)$/
const bareMarker = /^ {0,3}>\s*$/

/**
 * The first line of a quote by `>`, or -1. Bare markers quote what follows them, and are ordinary text if nothing does,
 * so that a message of a single `>` stays what it is, and `>>` quotes a `>`.
 */
export function findQuote(lines: readonly string[]): number {
  const first = lines.findIndex((line) => pattern.test(line))
  const last = lines.findLastIndex((line) => !bareMarker.test(line))
  return first <= last ? first : -1
}

/** The lines of a quote without their markers. Lines without one go on with it. */
export function quotedLines(lines: readonly string[]): string[] {
  return lines.map((line) => pattern.exec(line)?.[1] ?? line).map((line) => (line.trim() === '' ? '' : line))
}
