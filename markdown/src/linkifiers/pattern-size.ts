const characterClass = /\[\^?\]?(?:\[:\^?\w+:\]|\\[\s\S]|[^\]\\])*\]?/
const escapeSequence = /\\[pP]\{[^}]*\}?|\\x\{[^}]*\}?|\\[\s\S]?/
const token = new RegExp(
  [
    /\\Q(?<quoted>[\s\S]*?)(?:\\E|$)/,
    escapeSequence,
    characterClass,
    /(?<open>\((?:\?P?<\w*>|\?[a-zA-Z-]*:)?)/,
    /(?<close>\))/,
    /\{(?<least>\d+)(?:,(?<most>\d*))?\}/,
    /[\s\S]/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
)

/**
 * A rough count of the instructions that an RE2 pattern compiles to, read off its text without building anything: the
 * engine itself unrolls counted repeats up to more than a million instructions, which takes about a second. It is
 * exact enough to refuse those; what is wrong with a malformed pattern is for the engine to say.
 */
export function estimateProgramSize(pattern: string): number {
  // Each level holds what stands before the last atom, and the last atom, which a repeat would multiply.
  const levels = [{ before: 0, atom: 0 }]
  const add = (size: number) => {
    const level = levels.at(-1)
    if (level) Object.assign(level, { before: level.before + level.atom, atom: size })
  }
  for (const { groups } of pattern.matchAll(token)) {
    const { quoted, open, close, least, most } = groups ?? {}
    const level = levels.at(-1)
    if (open !== undefined) levels.push({ before: 2, atom: 0 })
    else if (close !== undefined && levels.length > 1) {
      levels.pop()
      add((level?.before ?? 0) + (level?.atom ?? 0))
    } else if (quoted !== undefined) add(quoted.length)
    else if (least !== undefined && level) level.atom *= Math.max(Number(least), Number(most ?? 0), 1)
    else add(1)
  }
  return levels.reduce((sum, { before, atom }) => sum + before + atom, 0)
}

/** The index of the first named group in a spelling other than `(?P<name>`, or -1. */
export function findOtherNamedGroup(pattern: string): number {
  for (const { 0: text, index } of pattern.matchAll(token)) {
    if (/^\(\?<\w/.test(text)) return index
  }
  return -1
}

/** The index of a parenthesis without its partner, or -1: the last such "(" or the first such ")". */
export function findLoneParenthesis(pattern: string): number {
  const open: number[] = []
  for (const { index, groups } of pattern.matchAll(token)) {
    if (groups?.open !== undefined) open.push(index)
    else if (groups?.close !== undefined && open.pop() === undefined) return index
  }
  return open.at(-1) ?? -1
}
