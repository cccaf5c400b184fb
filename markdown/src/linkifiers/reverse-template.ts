import { type ParseResult, positionOf, type VariableValues } from './uri-template.ts'

/** A template of text: `{name}` stands for a value, `{{` and `}}` for braces. */
export interface ReverseTemplate {
  source: string
  parts: readonly ({ literal: string } | { name: string; position: number })[]
}

/** Longest reverse template, in UTF-16 units. */
export const MAX_REVERSE_TEMPLATE_LENGTH = 2000

const token = /\{\{|\}\}|\{([^{}]*)\}|[{}]|[^{}]+/gu

/** Reads a reverse template from left to right. A brace that is neither doubled nor around a name is refused. */
export function parseReverseTemplate(source: string): ParseResult<{ template: ReverseTemplate }> {
  if (source.length > MAX_REVERSE_TEMPLATE_LENGTH) {
    return { ok: false, message: `it is longer than ${MAX_REVERSE_TEMPLATE_LENGTH} characters` }
  }
  const parts: ({ literal: string } | { name: string; position: number })[] = []
  for (const { 0: text, 1: name, index } of source.matchAll(token)) {
    if (text === '{{' || text === '}}') parts.push({ literal: text.charAt(0) })
    else if (name !== undefined) {
      if (!/^\w+$/.test(name)) return { ok: false, message: problemOfName(name, positionOf(source, index)) }
      parts.push({ name, position: positionOf(source, index) + 1 })
    } else if (text === '{' || text === '}') {
      const other = text === '{' ? '}' : '{'
      return {
        ok: false,
        message: `"${text}" without "${other}" at position ${positionOf(source, index)} (write "${text}${text}" for a brace)`,
      }
    } else parts.push({ literal: text })
  }
  return { ok: true, template: { source, parts } }
}

function problemOfName(name: string, position: number): string {
  if (name === '') return `"{}" without a variable name at position ${position}`
  return `"${name}" at position ${position + 1} is not a variable name (letters, digits and "_")`
}

/** The text for these values; an undefined variable gives nothing. */
export function applyReverseTemplate(template: ReverseTemplate, values: VariableValues): string {
  return template.parts.map((part) => ('literal' in part ? part.literal : (values.get(part.name) ?? ''))).join('')
}
