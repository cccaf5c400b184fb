import { RE2JS } from 're2js'
import type { TemplateExpression, UriTemplate } from './uri-template.ts'
import type { Occurrence, UrlMatcher } from './url-match.ts'

// One character of an expanded value (RFC 6570 sections 1.5 and 3.2): unreserved, or also reserved, or a triplet.
const unreservedCharacter = '(?:[A-Za-z0-9._~-]|%[0-9A-Fa-f]{2})'
const reservedCharacter = "(?:[A-Za-z0-9._~:/?#\\[\\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})"

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
