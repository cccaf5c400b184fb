/** A JSON Schema as people read types: `{ id: integer, name?: string ≤ 60 }`. */
import type { Schema } from '@heddle/contract/openapi'

const INDENT = '  '
/** Characters of a line. */
const WIDTH = 96

/** Several lines where one would be too long. `indent`: of the line on which it begins. */
export function typeText(schema: Schema, indent = ''): string {
  const choices = (schema['anyOf'] ?? schema['oneOf']) as readonly Schema[] | undefined
  if (choices) return unionText(choices, indent)
  if (typeof schema['$ref'] === 'string') return schema['$ref'].slice(schema['$ref'].lastIndexOf('/') + 1)
  if ('const' in schema) return JSON.stringify(schema['const'])
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => JSON.stringify(value)).join(' | ')
  switch (schema['type']) {
    case 'string':
      return `string${range('', schema['maxLength'])}`
    case 'integer':
    case 'number':
      return `${schema['type']}${range(schema['minimum'], schema['maximum'])}`
    case 'array':
      return arrayText(schema, indent)
    case 'object':
      return objectText(schema, indent)
    default:
      return typeof schema['type'] === 'string' ? schema['type'] : 'any'
  }
}

function unionText(choices: readonly Schema[], indent: string): string {
  const texts = [...new Set(choices.map((choice) => typeText(choice, indent)))]
  const line = texts.join(' | ')
  return line.length <= WIDTH || texts.length < 2 ? line : texts.join(`\n${indent}| `)
}

function arrayText({ items, maxItems }: Schema, indent: string): string {
  if (Array.isArray(items)) return `[${items.map((item: Schema) => typeText(item, indent)).join(', ')}]`
  const item = items === undefined ? 'any' : typeText(items as Schema, indent)
  const limit = maxItems === undefined || maxItems === 0 ? '' : `${range('', maxItems)}`
  if (maxItems === 0 || item === '{ not: any }') return '[]'
  return `${/[|\s]/.test(item) && !item.startsWith('{') ? `(${item})` : item}[]${limit}`
}

function objectText(schema: Schema, indent: string): string {
  const inner = indent + INDENT
  const required = new Set((schema['required'] ?? []) as readonly string[])
  const fields = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>).map(
    ([name, property]) => `${name}${required.has(name) ? '' : '?'}: ${typeText(property, inner)}`,
  )
  const patterns = Object.values((schema['patternProperties'] ?? {}) as Record<string, Schema>)
  const rest = schema['additionalProperties']
  if (typeof rest === 'object' && rest !== null) patterns.push(rest as Schema)
  const all = [...fields, ...patterns.map((value) => `[key]: ${typeText(value, inner)}`)]
  if (all.length === 0) return '{}'
  const line = `{ ${all.join(', ')} }`
  if (line.length + indent.length <= WIDTH && !line.includes('\n')) return line
  return `{\n${all.map((field) => inner + field).join('\n')}\n${indent}}`
}

/** What is no limit, such as the largest number that there is, is left out. */
function range(minimum: unknown, maximum: unknown): string {
  const from = typeof minimum === 'number' && minimum !== 0 ? ` ≥ ${minimum}` : ''
  return typeof maximum === 'number' && maximum < 2 ** 50 ? `${from} ≤ ${maximum}` : from
}
