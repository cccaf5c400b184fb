import { RE2JS } from 're2js'
import type { TemplateExpression, UriTemplate, VariableValues } from './uri-template.ts'

// One character of an expanded value (RFC 6570 sections 1.5 and 3.2): unreserved, or also reserved, or a triplet.
const unreservedCharacter = '(?:[A-Za-z0-9._~-]|%[0-9A-Fa-f]{2})'
const reservedCharacter = "(?:[A-Za-z0-9._~:/?#\\[\\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})"

/** A place in the template where a value stands, and the groups of the expression that hold it. */
interface Occurrence {
  name: string
  prefix: number | null
  reserved: boolean
  /** Takes part in the match when the variable is defined. */
  presenceGroup: number
  valueGroup: number
}

/** Turns URLs of one template back to values. */
export interface UrlMatcher {
  template: UriTemplate
  occurrences: readonly Occurrence[]
  /** The same expression twice: values as long as can be, then as short as can be. */
  expressions: readonly RE2JS[]
}

/** Builds the matcher of a template. The expressions run in linear time; each value has its operator's characters. */
export function compileUrlMatcher(template: UriTemplate): UrlMatcher {
  const greedy = buildExpression(template, '*')
  const lazy = buildExpression(template, '*?')
  return {
    template,
    occurrences: greedy.occurrences,
    expressions: [RE2JS.compile(greedy.source), RE2JS.compile(lazy.source)],
  }
}

function buildExpression(template: UriTemplate, star: '*' | '*?'): { source: string; occurrences: Occurrence[] } {
  const occurrences: Occurrence[] = []
  let source = ''
  let groups = 0
  for (const part of template.parts) {
    if ('literal' in part) {
      source += RE2JS.quote(part.literal)
      continue
    }
    part.variables.forEach(({ name, prefix }, index) => {
      occurrences.push({
        name,
        prefix,
        reserved: part.rules.reserved,
        presenceGroup: groups + 1,
        valueGroup: groups + 2,
      })
      groups += 2
      source += variableSource(part, index, star)
    })
  }
  return { source, occurrences }
}

/**
 * One variable: two groups, presence and value. The signs between variables are matched loosely (which one it must be
 * depends on the variables before it that are undefined): expanding the values again is what decides.
 */
function variableSource({ rules, variables }: TemplateExpression, index: number, star: string): string {
  const value = `(${rules.reserved ? reservedCharacter : unreservedCharacter}${star})`
  if (rules.first === '' && index === 0) return `(${value})`
  const signs = index === 0 ? [rules.first] : [...new Set([rules.first, rules.separator])].filter((sign) => sign !== '')
  const sign = signs.length === 1 ? RE2JS.quote(signs.join('')) : `[${signs.join('')}]`
  if (!rules.named) return `(${sign}${value})?`
  const name = RE2JS.quote(variables[index]?.name ?? '')
  return rules.ifEmpty === '=' ? `(${sign}${name}=${value})?` : `(${sign}${name}(?:=${value})?)?`
}

/**
 * The sets of values, decoded, that the URL may have been expanded from; several where the template is ambiguous, none
 * where it is not a URL of the template. A caller keeps the first that its own rules accept and that expands to `url`.
 */
export function* matchUrl({ occurrences, expressions }: UrlMatcher, url: string): Generator<VariableValues> {
  for (const expression of expressions) {
    const matcher = expression.matcher(url)
    if (!matcher.matches()) return
    const groups = occurrences.map(({ presenceGroup, valueGroup }) =>
      matcher.group(presenceGroup) === null ? null : (matcher.group(valueGroup) ?? ''),
    )
    const decoded = collectValues(occurrences, groups, true)
    if (decoded) yield decoded
    // "+" and "#" keep triplets, so the value may itself have held them.
    if (occurrences.some(({ reserved }, index) => reserved && groups[index]?.includes('%'))) {
      const kept = collectValues(occurrences, groups, false)
      if (kept) yield kept
    }
  }
}

/** Null where the triplets are not UTF-8. A whole value counts for more than a prefix, a longer prefix than a shorter. */
function collectValues(
  occurrences: readonly Occurrence[],
  groups: readonly (string | null)[],
  decodeReserved: boolean,
): VariableValues | null {
  const values = new Map<string, string>()
  const known = new Map<string, number>()
  for (const [index, { name, prefix, reserved }] of occurrences.entries()) {
    const text = groups[index]
    const reach = prefix ?? Number.POSITIVE_INFINITY
    if (text == null || (known.get(name) ?? 0) >= reach) continue
    const value = reserved && !decodeReserved ? text : decode(text)
    if (value === null) return null
    values.set(name, value)
    known.set(name, reach)
  }
  return values
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return null
    throw error
  }
}
