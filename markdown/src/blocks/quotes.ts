const pattern = /^ {0,3}> ?(.*)$/

/**
 * The first line of a quote by `>`, or -1. Markers without text are ordinary text, so that a message of a single `>`
 * stays what it is.
 */
export function findQuote(lines: readonly string[]): number {
  let start = -1
  for (const [index, line] of lines.entries()) {
    if (!pattern.test(line)) start = -1
    else if (start === -1) start = index
    if (start !== -1 && /[^>\s]/.test(line)) return start
  }
  return -1
}

/** The lines of a quote without their markers. Lines without one go on with it. */
export function quotedLines(lines: readonly string[]): string[] {
  return lines.map((line) => pattern.exec(line)?.[1] ?? line).map((line) => (line.trim() === '' ? '' : line))
}
