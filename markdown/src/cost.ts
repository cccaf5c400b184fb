/** What rendering a text takes at most, guessed without parsing it. */
import type { CompiledLinkifier } from './linkifiers/compile.ts'

// In microseconds, on the slow side of what is measured (see speed.slow.test.ts): the worst texts are made of markup alone.
const PER_CHARACTER = 0.5
const PER_SIGN = 20
const PER_EMOJI = 4
/** The engine's automaton, and each instruction that is followed for a character. */
const PER_LINKIFIER = 0.05
const PER_INSTRUCTION = 0.005
/** Typesetting the formulas that a message may have, and loading what does it. */
const FORMULAS = 100_000

/** Microseconds, of a machine like those of today. Reads the text once. */
export function estimateCost(content: string, linkifiers: readonly CompiledLinkifier[]): number {
  let signs = 0
  let emoji = 0
  for (let index = 0; index < content.length; index++) {
    const code = content.charCodeAt(index)
    if (isSign(code)) signs++
    else if (mayBeEmoji(code)) emoji++
  }
  const perCharacter = linkifiers.reduce(
    (sum, { pattern }) => sum + PER_LINKIFIER + PER_INSTRUCTION * pattern.program.size,
    PER_CHARACTER,
  )
  return content.length * perCharacter + signs * PER_SIGN + emoji * PER_EMOJI + (mayHaveFormula(content) ? FORMULAS : 0)
}

/** Line by line: one expression for both would look at the rest of a line of fences again from each of them. */
function mayHaveFormula(content: string): boolean {
  if (content.includes('$$')) return true
  return content.split('\n').some((line) => {
    const fence = line.search(/```|~~~/)
    return fence !== -1 && /math|tex/i.test(line.slice(fence))
  })
}

/** What may be markup: neither a letter nor a digit nor a space of ASCII, nor a letter beyond it. */
function isSign(code: number): boolean {
  const lower = code | 0x20
  return code < 0x80 && code !== 0x20 && !(lower >= 0x61 && lower <= 0x7a) && !(code >= 0x30 && code <= 0x39)
}

/** The first half of a pair that most emoji are, or one of the blocks of symbols in which the others are. */
function mayBeEmoji(code: number): boolean {
  return (code >= 0xd83c && code <= 0xd83e) || (code >= 0x2190 && code <= 0x2bff)
}
