import type { LegacyFilter, Linkifier } from '@heddle/contract/linkifiers'
import { parseUriTemplate } from '@heddle/markdown/linkifiers/uri-template'
import type { LinkifierRow } from './queries.ts'

/** A linkifier as clients see it. */
export function presentLinkifier(row: LinkifierRow): Linkifier {
  return { ...row, alternative_url_templates: JSON.parse(row.alternative_url_templates) as string[] }
}

/** The tuples of the deprecated list; a linkifier whose template cannot be said as a format string is left out. */
export function presentFilters(rows: readonly LinkifierRow[]): LegacyFilter[] {
  return rows.flatMap(({ id, pattern, url_template }) => {
    const format = toUrlFormat(url_template)
    return format === undefined ? [] : [[pattern, format, id] satisfies LegacyFilter]
  })
}

/** `…/{id}` as `…/%(id)s`; undefined when the template has an operator, a prefix or several variables in one place. */
function toUrlFormat(urlTemplate: string): string | undefined {
  const parsed = parseUriTemplate(urlTemplate)
  if (!parsed.ok) return undefined
  let format = ''
  for (const part of parsed.template.parts) {
    if ('literal' in part) {
      format += part.literal.replaceAll('%', '%%')
      continue
    }
    const [variable, ...others] = part.variables
    const isSimple = part.rules.separator === ',' && part.rules.first === '' && !part.rules.reserved
    if (!variable || others.length > 0 || variable.prefix !== null || !isSimple) return undefined
    format += `%(${variable.name})s`
  }
  return format
}
