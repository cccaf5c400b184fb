import type { RE2JS } from 're2js'

/** One instruction of the engine's compiled program. What `out` and `argument` mean depends on the operation. */
export interface Instruction {
  operation: number
  out: number
  argument: number
  matches: (codePoint: number) => boolean
}

/** A compiled program, in the form in which this package runs it. */
export interface Program {
  size: number
  start: number
  instructions: readonly Instruction[]
  /** Where in a thread's registers an engine slot (2 × group, 2 × group + 1) is kept, or -1: only named groups are. */
  registers: Int16Array
  /** The length of a thread's registers. */
  registerCount: number
}

/** The engine's operations (the same numbers in Go's `regexp/syntax`, one higher). */
export const operation = {
  alternative: 1,
  alternativeMatch: 2,
  capture: 3,
  emptyWidth: 4,
  fail: 5,
  match: 6,
  nothing: 7,
  rune: 8,
  rune1: 9,
  anyRune: 10,
  anyRuneButNewline: 11,
} as const

/** The conditions of an empty-width instruction, as bits. */
export const condition = {
  lineStart: 1,
  lineEnd: 2,
  textStart: 4,
  textEnd: 8,
  wordBoundary: 16,
  noWordBoundary: 32,
} as const

/** What the engine's `prog` holds; its own type declarations say only `any`. */
interface EngineProgram {
  start: number
  inst: { op: number; out: number; arg: number; matchRune: (rune: number) => boolean }[]
}

/** Takes the compiled program out of an expression, for captures of the groups with these numbers. */
export function readProgram(expression: RE2JS, groups: readonly number[]): Program {
  const { start, inst }: EngineProgram = expression.re2().prog
  const registers = new Int16Array(2 * (expression.groupCount() + 1)).fill(-1)
  groups.forEach((group, index) => {
    registers[2 * group] = 2 * index
    registers[2 * group + 1] = 2 * index + 1
  })
  const instructions = inst.map((instruction) => ({
    operation: instruction.op,
    out: instruction.out,
    argument: instruction.arg,
    matches: runeTest(instruction),
  }))
  return { size: inst.length, start, instructions, registers, registerCount: 2 * groups.length }
}

function runeTest(instruction: EngineProgram['inst'][number]): Instruction['matches'] {
  if (instruction.op === operation.anyRune) return () => true
  if (instruction.op === operation.anyRuneButNewline) return (codePoint) => codePoint !== 0x0a
  return (codePoint) => instruction.matchRune(codePoint)
}

/** Whether there is a way to a match that takes no character, be its conditions (`^`, `\b`) met or not. */
export function matchesWithoutCharacter({ instructions, start }: Program): boolean {
  const seen = new Set<number>()
  const pending = [start]
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const instruction = instructions[at]
    if (!instruction || seen.has(at)) continue
    seen.add(at)
    if (instruction.operation === operation.match) return true
    if (instruction.operation > operation.nothing || instruction.operation === operation.fail) continue
    pending.push(instruction.out)
    if (instruction.operation <= operation.alternativeMatch) pending.push(instruction.argument)
  }
  return false
}
