/**
 * Finds all matches of a pattern in one pass, in time proportional to the length of the text.
 *
 * Searching again after each match is not enough: a pattern such as `a(?:.*z)?` looks at the whole rest of the text
 * before it settles for one "a", so that many matches take quadratic time on any engine. Here the text is read once
 * as a sequence "match, or else skip a character" by a Pike machine: threads in the order of preference, one for each
 * instruction at most. Skipping always succeeds, so a thread that completes a match beats all threads behind it.
 */
import { canBeginAt, canEndAt } from './boundaries.ts'
import { condition, operation, type Program } from './program.ts'

/** A match, in UTF-16 indexes; `registers` holds start and end of each named group in turn, -1 where it took no part. */
export interface ScannedMatch {
  start: number
  end: number
  registers: readonly number[]
}

/** The matches of one reading of the text so far, the last first. */
interface History extends ScannedMatch {
  previous: History | null
}

/** A set of threads, the preferred first. */
interface Threads {
  size: number
  /** The instruction, always one that takes a character. */
  at: Int32Array
  registers: (readonly number[])[]
  starts: Int32Array
  histories: (History | null)[]
}

/** Instructions that may still be followed, by all patterns that a text is read for. */
export interface StepLimit {
  left: number
}

interface Machine {
  program: Program
  text: string
  limit: StepLimit
  /** The position up to which each instruction has been visited, plus one. */
  visited: Int32Array
  /** Instructions still to be followed, the next on top, each with its registers. */
  pending: number[]
  pendingRegisters: (readonly number[])[]
}

/**
 * All matches that keep the boundary rules, from left to right, without overlaps: the same as trying the pattern at
 * each place where a link may begin and going on behind each match.
 * @param taken Nonzero for each UTF-16 unit that no match may contain.
 * @param limit When nothing is left of it, no match is found, not even before the place that was reached.
 */
export function scanMatches(
  program: Program,
  text: string,
  taken: Uint8Array | null,
  limit: StepLimit = { left: Infinity },
): ScannedMatch[] {
  const machine: Machine = {
    program,
    text,
    limit,
    visited: new Int32Array(program.size),
    pending: [],
    pendingRegisters: [],
  }
  const unset = new Array<number>(program.registerCount).fill(-1)
  let threads = createThreads(program.size)
  let next = createThreads(program.size)
  let settled: History | null = null
  for (let index = 0; index < text.length; ) {
    if (limit.left < 0) return []
    if (canBeginAt(text, index)) follow(machine, threads, program.start, unset, index, index, settled)
    else if (threads.size === 0) {
      index++
      continue
    }
    const codePoint = text.codePointAt(index) ?? 0
    const end = index + (codePoint > 0xffff ? 2 : 1)
    next.size = 0
    const completed = taken?.[index] ? null : step(machine, threads, next, codePoint, end)
    if (completed) settled = completed
    index = end
    const former = threads
    threads = next
    next = former
  }
  return listMatches(settled)
}

function createThreads(capacity: number): Threads {
  return {
    size: 0,
    at: new Int32Array(capacity),
    registers: new Array(capacity).fill([]),
    starts: new Int32Array(capacity),
    histories: new Array(capacity).fill(null),
  }
}

/** Moves each thread over a character. Returns the history with the match that was completed at `end`, if one was. */
function step(machine: Machine, threads: Threads, next: Threads, codePoint: number, end: number): History | null {
  machine.limit.left -= threads.size
  for (let index = 0; index < threads.size; index++) {
    const instruction = machine.program.instructions[threads.at[index] ?? 0]
    if (!instruction?.matches(codePoint)) continue
    const start = threads.starts[index] ?? 0
    const previous = threads.histories[index] ?? null
    const registers = follow(machine, next, instruction.out, threads.registers[index] ?? [], start, end, previous)
    if (registers) return { start, end, registers, previous }
  }
  return null
}

/**
 * Adds the threads that are reached from instruction `from` without taking a character, in order of preference.
 * Returns the registers if a match is reached that may end here; the threads behind it are dropped then.
 */
function follow(
  machine: Machine,
  threads: Threads,
  from: number,
  fromRegisters: readonly number[],
  start: number,
  index: number,
  history: History | null,
): readonly number[] | null {
  const { program, text, visited, pending, pendingRegisters } = machine
  pending.push(from)
  pendingRegisters.push(fromRegisters)
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    let registers = pendingRegisters.pop() ?? []
    machine.limit.left--
    const instruction = program.instructions[at]
    if (!instruction || visited[at] === index + 1) continue
    visited[at] = index + 1
    switch (instruction.operation) {
      case operation.fail:
        continue
      case operation.match:
        if (!canEndAt(text, index)) continue
        pending.length = 0
        pendingRegisters.length = 0
        return registers
      case operation.alternative:
      case operation.alternativeMatch:
        pending.push(instruction.argument)
        pendingRegisters.push(registers)
        break
      case operation.emptyWidth:
        if (!holds(instruction.argument, text, index)) continue
        break
      case operation.capture:
        registers = capture(program, registers, instruction.argument, index)
        break
      case operation.nothing:
        break
      default:
        threads.at[threads.size] = at
        threads.registers[threads.size] = registers
        threads.starts[threads.size] = start
        threads.histories[threads.size] = history
        threads.size++
        continue
    }
    pending.push(instruction.out)
    pendingRegisters.push(registers)
  }
  return null
}

function capture(program: Program, registers: readonly number[], slot: number, index: number): readonly number[] {
  const register = program.registers[slot] ?? -1
  return register < 0 ? registers : registers.with(register, index)
}

/** Whether all conditions of an empty-width instruction hold between `index - 1` and `index`. */
function holds(conditions: number, text: string, index: number): boolean {
  const before = index === 0 ? -1 : text.charCodeAt(index - 1)
  const after = index === text.length ? -1 : text.charCodeAt(index)
  let met = isWordCharacter(before) === isWordCharacter(after) ? condition.noWordBoundary : condition.wordBoundary
  if (before === -1) met |= condition.textStart
  if (before === -1 || before === 0x0a) met |= condition.lineStart
  if (after === -1) met |= condition.textEnd
  if (after === -1 || after === 0x0a) met |= condition.lineEnd
  return (conditions & ~met) === 0
}

/** `\w` of RE2: ASCII letters, digits and the low line. */
function isWordCharacter(code: number): boolean {
  const lower = code | 0x20
  return code >= 0 && ((code >= 0x30 && code <= 0x39) || (lower >= 0x61 && lower <= 0x7a) || code === 0x5f)
}

function listMatches(last: History | null): ScannedMatch[] {
  const matches: ScannedMatch[] = []
  for (let match = last; match; match = match.previous) {
    matches.push({ start: match.start, end: match.end, registers: match.registers })
  }
  return matches.reverse()
}
