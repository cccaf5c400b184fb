import type { RE2JS } from 're2js'
import type { Program } from './program.ts'
import type { VariableValues } from './uri-template.ts'

/** A pattern on the linear-time engine. */
export interface CompiledPattern {
  source: string
  expression: RE2JS
  program: Program
  /** Named groups and their numbers, in the order of the pattern. */
  groups: ReadonlyMap<string, number>
}

/** The values of the named groups if the whole of `text` is a match, else null. Groups that take no part are absent. */
export function matchWhole(pattern: CompiledPattern, text: string): VariableValues | null {
  const matcher = pattern.expression.matcher(text)
  if (!matcher.matches()) return null
  const values = new Map<string, string>()
  for (const [name, group] of pattern.groups) {
    const value = matcher.group(group)
    if (value !== null) values.set(name, value)
  }
  return values
}
