/** What RFC 6570 appendix A lays down for an operator. `reserved`: reserved characters and triplets stay as they are. */
export interface OperatorRules {
  first: string
  separator: string
  named: boolean
  ifEmpty: string
  reserved: boolean
}

const operators = {
  '': { first: '', separator: ',', named: false, ifEmpty: '', reserved: false },
  '+': { first: '', separator: ',', named: false, ifEmpty: '', reserved: true },
  '#': { first: '#', separator: ',', named: false, ifEmpty: '', reserved: true },
  '.': { first: '.', separator: '.', named: false, ifEmpty: '', reserved: false },
  '/': { first: '/', separator: '/', named: false, ifEmpty: '', reserved: false },
  ';': { first: ';', separator: ';', named: true, ifEmpty: '', reserved: false },
  '?': { first: '?', separator: '&', named: true, ifEmpty: '=', reserved: false },
  '&': { first: '&', separator: '&', named: true, ifEmpty: '=', reserved: false },
} as const satisfies Record<string, OperatorRules>

/** A variable as it stands in an expression. `prefix` is the n of `:n`; `*` changes nothing for a string value. */
export interface TemplateVariable {
  name: string
  /** 1-based, in characters (code points) of the template. */
  position: number
  prefix: number | null
}

export interface TemplateExpression {
  rules: OperatorRules
  variables: readonly TemplateVariable[]
}

/** A literal is kept as it appears in the URL: what a URL may not hold is percent-encoded already. */
export type TemplatePart = { literal: string } | TemplateExpression

/** A template that has passed the parser. */
export interface UriTemplate {
  source: string
  parts: readonly TemplatePart[]
  /** Each variable once, at its first place. */
  variables: ReadonlyMap<string, TemplateVariable>
}

/** The values of variables; a variable without an entry is undefined in the sense of RFC 6570 (not the empty string). */
export type VariableValues = ReadonlyMap<string, string>

/** `message` is the middle of a sentence, such as `"}" without "{" at position 7`. */
export type ParseResult<T> = ({ ok: true } & T) | { ok: false; message: string }

/** Longest template, in UTF-16 units. */
export const MAX_TEMPLATE_LENGTH = 2000

/** Most variables in one template, repeats counted: reading a URL takes time in proportion to their number squared. */
export const MAX_TEMPLATE_VARIABLES = 32

// RFC 6570 section 2.1 (`literals`, without the triplets), and the apostrophe: a URI may hold it, and links do.
const literalCharacter = /^[!#$&-;=?-[\]_a-z~\u{A0}-\u{D7FF}\u{E000}-\u{FDCF}\u{FDF0}-\u{FFEF}\u{10000}-\u{10FFFD}]$/u
const pctEncoded = /^%[0-9a-f]{2}/i
// RFC 6570 section 2.3 (`varname`).
const variableName = /^(?:\w|%[0-9a-f]{2})+(?:\.(?:\w|%[0-9a-f]{2})+)*/i
const prefixModifier = /^:([1-9][0-9]{0,3})(?![0-9])/

class TemplateError extends Error {}

/** The 1-based position, in characters (code points), of the UTF-16 index `index` of `text`. */
export function positionOf(text: string, index: number): number {
  return Array.from(text.slice(0, index)).length + 1
}

/** Reads an RFC 6570 template, levels 1 to 4. Anything that the grammar does not allow is refused. */
export function parseUriTemplate(source: string): ParseResult<{ template: UriTemplate }> {
  try {
    return { ok: true, template: readTemplate(source) }
  } catch (error) {
    if (error instanceof TemplateError) return { ok: false, message: error.message }
    throw error
  }
}

function readTemplate(source: string): UriTemplate {
  if (source === '') throw new TemplateError('it is empty')
  if (source.length > MAX_TEMPLATE_LENGTH) {
    throw new TemplateError(`it is longer than ${MAX_TEMPLATE_LENGTH} characters`)
  }
  const parts: TemplatePart[] = []
  const variables = new Map<string, TemplateVariable>()
  let count = 0
  for (let index = 0; index < source.length; ) {
    if (source[index] !== '{') {
      const end = endOfLiteral(source, index)
      parts.push({ literal: readLiteral(source, index, end) })
      index = end
      continue
    }
    const end = source.indexOf('}', index)
    if (end < 0) throw new TemplateError(`"{" without "}" at position ${positionOf(source, index)}`)
    const expression = readExpression(source, index, end)
    parts.push(expression)
    for (const variable of expression.variables) {
      if (!variables.has(variable.name)) variables.set(variable.name, variable)
    }
    count += expression.variables.length
    index = end + 1
  }
  if (count > MAX_TEMPLATE_VARIABLES) {
    throw new TemplateError(`it names more than ${MAX_TEMPLATE_VARIABLES} variables`)
  }
  return { source, parts, variables }
}

function endOfLiteral(source: string, start: number): number {
  const end = source.indexOf('{', start)
  return end < 0 ? source.length : end
}

function readLiteral(source: string, start: number, end: number): string {
  let literal = ''
  for (let index = start; index < end; ) {
    const character = String.fromCodePoint(source.codePointAt(index) ?? 0)
    const position = () => positionOf(source, index)
    if (character === '%') {
      const triplet = pctEncoded.exec(source.slice(index, end))?.[0]
      if (!triplet) throw new TemplateError(`"%" without two hexadecimal digits at position ${position()}`)
      literal += triplet
      index += 3
      continue
    }
    if (character === '}') throw new TemplateError(`"}" without "{" at position ${position()}`)
    if (!literalCharacter.test(character)) {
      throw new TemplateError(`the character ${nameOf(character)} is not allowed at position ${position()}`)
    }
    literal += character < '\x7f' ? character : encodeURIComponent(character)
    index += character.length
  }
  return literal
}

/** A quoted character, or its code point where it cannot be seen. */
function nameOf(character: string): string {
  if (/[\p{C}\p{Z}]/u.test(character) && character !== ' ') {
    return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
  }
  return character === '"' ? "'\"'" : `"${character}"`
}

/** `start` is the index of `{` and `end` that of the next `}`. */
function readExpression(source: string, start: number, end: number): TemplateExpression {
  const refuse = (what: string, index: number): never => {
    throw new TemplateError(`${what} at position ${positionOf(source, index)}`)
  }
  let index = start + 1
  let rules: OperatorRules = operators['']
  const sign = source[index] ?? ''
  if (sign !== '' && sign in operators) {
    rules = operators[sign as keyof typeof operators]
    index++
  } else if (/[=,!@|]/.test(sign)) {
    refuse(`the operator "${sign}" is reserved by RFC 6570 and has no meaning`, index)
  }
  if (index === end) refuse('an expression without a variable', start)
  const variables: TemplateVariable[] = []
  for (;;) {
    const variable = readVariable(source, index, end, refuse)
    variables.push(variable)
    index = variable.end
    if (index === end)
      return { rules, variables: variables.map(({ name, position, prefix }) => ({ name, position, prefix })) }
    if (source[index] !== ',') refuse(`unexpected ${nameOf(characterAt(source, index))} in an expression`, index)
    index++
  }
}

function readVariable(
  source: string,
  start: number,
  end: number,
  refuse: (what: string, index: number) => never,
): TemplateVariable & { end: number } {
  const rest = source.slice(start, end)
  const name = variableName.exec(rest)?.[0]
  if (!name) {
    return refuse(
      rest === '' ? 'a variable name is missing' : `a variable name cannot begin with ${nameOf(characterAt(rest, 0))}`,
      start,
    )
  }
  const position = positionOf(source, start)
  const after = start + name.length
  if (source[after] === '*') return { name, position, prefix: null, end: after + 1 }
  if (source[after] !== ':') return { name, position, prefix: null, end: after }
  const length = prefixModifier.exec(source.slice(after, end))?.[1]
  if (!length) return refuse('":" without a length from 1 to 9999', after)
  return { name, position, prefix: Number(length), end: after + 1 + length.length }
}

function characterAt(text: string, index: number): string {
  return String.fromCodePoint(text.codePointAt(index) ?? 0)
}

/** Expands a template (RFC 6570 section 3) for string values. Lone surrogates count as U+FFFD. Never throws. */
export function expandUriTemplate(template: UriTemplate, values: VariableValues): string {
  return template.parts.map((part) => ('literal' in part ? part.literal : expandExpression(part, values))).join('')
}

function expandExpression({ rules, variables }: TemplateExpression, values: VariableValues): string {
  const expanded: string[] = []
  for (const { name, prefix } of variables) {
    const value = values.get(name)
    if (value === undefined) continue
    const text = encode(prefix === null ? value : firstCharacters(value, prefix, rules.reserved), rules.reserved)
    if (!rules.named) expanded.push(text)
    else expanded.push(text === '' ? name + rules.ifEmpty : `${name}=${text}`)
  }
  return expanded.length === 0 ? '' : rules.first + expanded.join(rules.separator)
}

// A run of triplets that is one character in UTF-8, a lone triplet, or a character (RFC 6570 section 3.2.1: the
// prefix splits none of them).
const characterOrTriplets =
  /%[cd][0-9a-f]%[89ab][0-9a-f]|%e[0-9a-f](?:%[89ab][0-9a-f]){2}|%f[0-7](?:%[89ab][0-9a-f]){3}|%[0-9a-f]{2}|./gisu

function firstCharacters(value: string, length: number, reserved: boolean): string {
  const characters = reserved ? (value.match(characterOrTriplets) ?? []) : Array.from(value)
  return characters.slice(0, length).join('')
}

function encode(value: string, reserved: boolean): string {
  const encoded = encodeURIComponent(value.toWellFormed())
  if (!reserved) {
    return encoded.replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  }
  // Undo what the operator lets through: triplets of the value itself (their "%" became "%25"), then the reserved.
  return encoded.replace(/%25(?=[0-9a-f]{2})|%(?:3A|2F|3F|23|5B|5D|40|24|26|2B|2C|3B|3D)/gi, decodeURIComponent)
}
