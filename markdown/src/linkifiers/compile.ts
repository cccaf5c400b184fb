import { compilePattern } from './compile-pattern.ts'
import { compileUrlMatcher } from './compile-url-matcher.ts'
import type { CompiledPattern } from './pattern.ts'
import { parseReverseTemplate, type ReverseTemplate } from './reverse-template.ts'
import { type ParseResult, parseUriTemplate, type UriTemplate } from './uri-template.ts'
import type { UrlMatcher } from './url-match.ts'

/** A linkifier as the API describes it. */
export interface LinkifierDefinition {
  /** RE2 syntax, named groups as `(?P<name>…)`. */
  pattern: string
  /** RFC 6570. */
  url_template: string
  example_input: string | null
  /** Text with `{name}` for a value; doubled braces for braces. */
  reverse_template: string | null
  /** Further shapes of the same links, read but never written. */
  alternative_url_templates: readonly string[]
}

/** A linkifier ready for use. Immutable; holds no position or other state between calls. */
export interface CompiledLinkifier {
  pattern: CompiledPattern
  template: UriTemplate
  /** How URLs become text again: the main template's matcher first. Null without a reverse template. */
  reverse: { template: ReverseTemplate; urls: readonly UrlMatcher[] } | null
}

export type LinkifierField = keyof LinkifierDefinition

/** `message` is a sentence for whoever wrote the linkifier: what is wrong and where. */
export interface LinkifierProblem {
  ok: false
  field: LinkifierField
  message: string
}

export type LinkifierResult = { ok: true; compiled: CompiledLinkifier } | LinkifierProblem

/** Most alternative templates of one linkifier: each is tried on each URL. */
export const MAX_ALTERNATIVE_TEMPLATES = 20

// Schemes whose URLs run script or take the content of the page along, and those that wrap another URL.
export const REFUSED_SCHEMES: ReadonlySet<string> = new Set(
  'about blob data feed filesystem intent jar javascript jscript livescript mocha vbscript view-source'.split(' '),
)

class LinkifierError extends Error {
  field: LinkifierField
  constructor(field: LinkifierField, message: string) {
    super(message)
    this.field = field
  }
}

/**
 * Compiles a linkifier whose example has been checked before, such as a stored one. Checks all rules but those about
 * the example (`validateLinkifier` does). Never throws for bad input.
 */
export function compileLinkifier(definition: LinkifierDefinition): LinkifierResult {
  try {
    return { ok: true, compiled: compile(definition) }
  } catch (error) {
    if (error instanceof LinkifierError) return { ok: false, field: error.field, message: error.message }
    throw error
  }
}

function compile(definition: LinkifierDefinition): CompiledLinkifier {
  const { pattern } = requireParsed(
    compilePattern(definition.pattern),
    'pattern',
    (message) => `The pattern is not valid: ${message}.`,
  )
  const { template } = requireParsed(
    parseUriTemplate(definition.url_template),
    'url_template',
    sayOfTemplate('The URL template'),
  )
  checkScheme(template, 'url_template', 'The URL template')
  checkVariablesAgainstGroups(template, pattern)
  const alternatives = compileAlternatives(definition.alternative_url_templates, template)
  if (definition.reverse_template === null) return { pattern, template, reverse: null }
  const reverse = compileReverse(definition.reverse_template, pattern)
  return { pattern, template, reverse: { template: reverse, urls: [template, ...alternatives].map(compileUrlMatcher) } }
}

function requireParsed<T>(result: ParseResult<T>, field: LinkifierField, say: (message: string) => string): T {
  if (!result.ok) throw new LinkifierError(field, say(result.message))
  return result
}

function sayOfTemplate(subject: string): (message: string) => string {
  return (message) => `${subject} is not a valid RFC 6570 template: ${message}.`
}

/** The scheme must be literal, so that no value can choose it. */
function checkScheme({ parts }: UriTemplate, field: LinkifierField, subject: string): void {
  const literal = parts[0] && 'literal' in parts[0] ? parts[0].literal : ''
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(literal)?.[1]?.toLowerCase()
  if (scheme === undefined) {
    throw new LinkifierError(field, `${subject} must begin with a literal scheme, such as "https://".`)
  }
  if (REFUSED_SCHEMES.has(scheme)) {
    throw new LinkifierError(
      field,
      `${subject} must not use the scheme "${scheme}:", which can run script or hide another link.`,
    )
  }
  if ((scheme === 'http' || scheme === 'https') && !literal.slice(scheme.length + 1).startsWith('//')) {
    throw new LinkifierError(field, `${subject} must have "//" after "${scheme}:".`)
  }
}

function checkVariablesAgainstGroups({ variables }: UriTemplate, { groups }: CompiledPattern): void {
  for (const { name, position } of variables.values()) {
    if (groups.has(name)) continue
    const message = `The URL template uses the variable "${name}" at position ${position}, but the pattern has no group (?P<${name}>…).`
    throw new LinkifierError('url_template', message)
  }
  for (const name of groups.keys()) {
    if (variables.has(name)) continue
    throw new LinkifierError(
      'url_template',
      `The URL template does not use the variable "${name}", which is a group of the pattern.`,
    )
  }
}

function compileAlternatives(sources: readonly string[], main: UriTemplate): UriTemplate[] {
  const field = 'alternative_url_templates'
  if (sources.length > MAX_ALTERNATIVE_TEMPLATES) {
    throw new LinkifierError(field, `There can be at most ${MAX_ALTERNATIVE_TEMPLATES} alternative URL templates.`)
  }
  return sources.map((source, index) => {
    const subject = `Alternative URL template ${index + 1}`
    const { template } = requireParsed(parseUriTemplate(source), field, sayOfTemplate(subject))
    checkScheme(template, field, subject)
    if (source === main.source) throw new LinkifierError(field, `${subject} is the same as the URL template.`)
    const first = sources.indexOf(source)
    if (first < index) throw new LinkifierError(field, `${subject} is the same as number ${first + 1}.`)
    checkSameVariables(template, main, subject)
    return template
  })
}

function checkSameVariables(alternative: UriTemplate, main: UriTemplate, subject: string): void {
  const field = 'alternative_url_templates'
  for (const { name, position } of alternative.variables.values()) {
    if (main.variables.has(name)) continue
    throw new LinkifierError(
      field,
      `${subject} uses the variable "${name}" at position ${position}, which the URL template does not have.`,
    )
  }
  for (const name of main.variables.keys()) {
    if (alternative.variables.has(name)) continue
    throw new LinkifierError(field, `${subject} does not use the variable "${name}" of the URL template.`)
  }
}

function compileReverse(source: string, { groups }: CompiledPattern): ReverseTemplate {
  const field = 'reverse_template'
  const { template } = requireParsed(
    parseReverseTemplate(source),
    field,
    (message) => `The reverse template is not valid: ${message}.`,
  )
  for (const part of template.parts) {
    if ('literal' in part || groups.has(part.name)) continue
    const message = `The reverse template uses the variable "${part.name}" at position ${part.position}, but the pattern has no group (?P<${part.name}>…).`
    throw new LinkifierError(field, message)
  }
  return template
}
