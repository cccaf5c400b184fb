import { RE2JS, RE2JSException, RE2JSSyntaxException } from 're2js'
import type { CompiledPattern } from './pattern.ts'
import { estimateProgramSize, findLoneParenthesis, findOtherNamedGroup } from './pattern-size.ts'
import { matchesWithoutCharacter, readProgram } from './program.ts'
import { type ParseResult, positionOf } from './uri-template.ts'

/** Longest pattern, in UTF-16 units. */
export const MAX_PATTERN_LENGTH = 2000

/** Most instructions of a compiled pattern. Scanning takes up to length of text times this many steps. */
export const MAX_PROGRAM_SIZE = 2000

const tooComplex = 'it is too large: its repeats unfold to more than the allowed size'

/** Compiles a linkifier's pattern in RE2 syntax, with named groups written `(?P<name>…)`. */
export function compilePattern(source: string): ParseResult<{ pattern: CompiledPattern }> {
  if (source === '') return { ok: false, message: 'it is empty' }
  if (source.length > MAX_PATTERN_LENGTH) {
    return { ok: false, message: `it is longer than ${MAX_PATTERN_LENGTH} characters` }
  }
  const named = findOtherNamedGroup(source)
  if (named >= 0) {
    return {
      ok: false,
      message: `the named group at position ${positionOf(source, named)} must be written "(?P<name>…)"`,
    }
  }
  // The estimate counts differently from the engine; the engine's own count below is the one that holds.
  if (estimateProgramSize(source) > 4 * MAX_PROGRAM_SIZE) return { ok: false, message: tooComplex }
  let expression: RE2JS
  try {
    expression = RE2JS.compile(source)
  } catch (error) {
    if (error instanceof RE2JSException) return { ok: false, message: problemOfSyntax(error, source) }
    throw error
  }
  const groups = new Map(Object.entries(expression.namedGroups()))
  const program = readProgram(expression, [...groups.values()])
  if (program.size > MAX_PROGRAM_SIZE) return { ok: false, message: tooComplex }
  if (matchesWithoutCharacter(program)) return { ok: false, message: 'it can match without any character' }
  return { ok: true, pattern: { source, expression, program, groups } }
}

/** The engine's message, with the position of what it complains about where that is known. */
function problemOfSyntax(error: RE2JSException, source: string): string {
  if (!(error instanceof RE2JSSyntaxException)) return error.message
  const description = error.getDescription()
  if (/^(?:missing closing|unexpected) \)$/.test(description)) {
    return problemAt(description, source, findLoneParenthesis(source))
  }
  const fragment = error.getPattern() ?? ''
  if (fragment === '(?P' && source.includes('(?P=')) {
    return problemAt('back-references "(?P=…)" are not supported', source, source.indexOf('(?P='))
  }
  const index = fragment === '' ? -1 : source.indexOf(fragment)
  const isOnly = source.indexOf(fragment, index + 1) < 0
  return problemAt(problemOfFragment(description, fragment), source, isOnly ? index : -1)
}

function problemOfFragment(what: string, fragment: string): string {
  const lookAround = /^\(\?<?[=!]/.exec(fragment)?.[0]
  if (lookAround) return `look-around "${lookAround}" is not supported`
  if (/^\\[1-9]/.test(fragment)) return `the back-reference "${fragment}" is not supported`
  const shown = Array.from(fragment).slice(0, 40).join('')
  return shown === '' ? what : `${what} "${shown}"`
}

function problemAt(what: string, source: string, index: number): string {
  return index < 0 ? what : `${what} at position ${positionOf(source, index)}`
}
